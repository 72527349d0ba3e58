import { MAX_MARKS } from "../../src/client/usage/last-seen.ts";
import { MAX_INSTANCES, MIN_MARK_INTERVAL_MS } from "../../src/core/usage/message-types.ts";
import { MAX_INSTANCE_COUNTS } from "../../src/core/usage/usage-state.ts";
import { ASSUMPTIONS, BYTES, CODE, ROWS } from "./assumptions.ts";
import { type EdgeLoad, rateAfterPause } from "./edge.ts";
import type { Scenario } from "./scenario.ts";

const HOUR_SECONDS = 3_600;
const MARK_SECONDS = MIN_MARK_INTERVAL_MS / 1000;

/** The load of usage and last-seen marks on usage objects and the database. Rates are per second. */
export interface UsageLoad {
  /** How many usage batches isolates send to usage objects. Each batch is a request. */
  readonly usageBatches: number;
  readonly usageObjects: number;
  /** The rows that the usage objects write to their own storage. */
  readonly usageObjectRows: number;
  /** The utilisation of a usage object, from 0 to 1; above 1 it is overloaded. */
  readonly usageObjectBusy: number;
  readonly usageRowsRead: number;
  readonly usageRowsWritten: number;
}

export function usageLoad(scenario: Scenario, edge: EdgeLoad): UsageLoad {
  const { environments, instances } = scenario;
  const { reports, polls } = edge;
  const flags = scenario["reported-flags"];
  const objects = Math.min(environments, scenario["usage-shards"]);
  const marks = lastSeenMarks(scenario, edge);

  // The reports and marks that one isolate collects. It sends a batch to each object for which it
  // has collected some.
  const perIsolate = (reports + marks) / edge.isolates;
  const flushes = rateAfterPause(perIsolate, CODE.usageFlushSeconds);
  const met = flushes > 0 ? distinct(objects, perIsolate / flushes) : 0;
  const bytes = reports * (BYTES.report + flags * BYTES.reportAFlag) + marks * BYTES.lastSeenMark;
  const usageBatches = Math.max(edge.isolates * flushes * met, bytes / CODE.batchBytes);

  // Each flag adds one row per hour and environment to the database, and each application adds one,
  // too.
  const environmentHours = reports > 0 ? environments / HOUR_SECONDS : 0;
  const flagHours = environmentHours * flags;
  // Counts at most one mark a minute for each flag and each API key.
  const uses = (reports > 0 ? flags : 0) + environments;
  const usesWritten = uses * rateAfterPause((polls + reports) / uses, MARK_SECONDS);
  const { flagHour, appHour, write, use, day } = ROWS;
  const { usageReportMs, usageMarkMs } = ASSUMPTIONS;
  const busyMs = reports * usageReportMs.value + marks * usageMarkMs.value;

  const known = Math.min(instances, environments * MAX_INSTANCES);
  const counts = reports > 0 ? Math.min(instances * flags, objects * MAX_INSTANCE_COUNTS) : 0;
  const countBytes = counts * BYTES.countOfFlag;
  const stateBytes = known * BYTES.instance + countBytes;
  const saves = objects * rateAfterPause(usageBatches / objects, CODE.usageSaveSeconds);
  // Counts a compaction of the log once an hour, and whenever the log has grown to three times the
  // size of the state.
  const compactions = objects / HOUR_SECONDS + bytes / Math.max(CODE.compactBytes, 2 * stateBytes);
  const stateRows = 1 + stateBytes / objects / CODE.objectRowBytes;
  const rows =
    Math.max(saves, bytes / CODE.objectRowBytes) +
    compactions * stateRows +
    countBytes / CODE.instanceRowBytes / HOUR_SECONDS;
  return {
    usageBatches,
    usageObjects: objects,
    // Counts each row twice, because it is written once and deleted once.
    usageObjectRows: 2 * rows,
    usageObjectBusy: busyMs / objects / 1000,
    usageRowsRead: flagHours * flagHour.read + usesWritten * use.read,
    usageRowsWritten:
      flagHours * (flagHour.written + flagHour.deleted + day.written / 24) +
      environmentHours * (appHour.written + appHour.deleted + write.written + write.deleted) +
      usesWritten * use.written,
  };
}

/** Returns the expected number of distinct items after drawing `draws` times from `all` items. */
export const distinct = (all: number, draws: number): number => all * (1 - (1 - 1 / all) ** draws);

/** Returns the last-seen marks of SDK instances that isolates send, per second. */
function lastSeenMarks(
  { instances, environments }: Scenario,
  { polls, reports, changes, isolatesPerLocation, isolates }: EdgeLoad,
): number {
  const news = changes / environments;
  // How often one isolate meets an instance. Every isolate of a location sees every instance of the
  // location, and sends its own mark.
  const met = (polls + reports) / instances / isolatesPerLocation;
  const isForgotten = instances / (isolates / isolatesPerLocation) > MAX_MARKS;
  const due = Math.min(met, rateAfterPause(met, MARK_SECONDS) + news);
  return instances * isolatesPerLocation * (isForgotten ? met : due);
}
