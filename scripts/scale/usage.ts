import { ASSUMPTIONS } from "./assumptions.ts";
import { CODE, HOUR_SECONDS, MONTH_SECONDS } from "./code.ts";
import { rateAfterPause, type EdgeLoad } from "./edge.ts";
import { OPERATIONS_A_MESSAGE } from "./prices.ts";
import { BYTES, MESSAGE_BYTES, ROWS } from "./rows.ts";
import type { Scenario } from "./scenario.ts";

/**
 * The load of usage, last-seen marks and webhooks on usage objects, queues and the database. Rates
 * are per second.
 */
export interface UsageLoad {
  /** Usage batches that isolates send to usage objects. Each is a request. */
  readonly usageBatches: number;
  /** The usage objects. */
  readonly usageObjects: number;
  /** The rows that the usage objects write to their own storage. */
  readonly usageObjectRows: number;
  /** The storage of the usage objects, bytes. */
  readonly usageObjectBytes: number;
  /** The utilisation of the busiest usage object, from 0 to 1; above 1 it is overloaded. */
  readonly usageObjectBusy: number;
  readonly webhookMessages: number;
  /** Last-seen marks of SDK instances that isolates send. */
  readonly marksSent: number;
  readonly operations: number;
  readonly batches: number;
  /** Transactions in which usage objects write to the database. */
  readonly transactions: number;
  readonly deliveries: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  /** The most rows of one table that expire between two runs of the hourly sweep job. */
  readonly expiringRows: number;
  readonly databaseBytes: number;
}

/** The streams that mark their SDK instances as seen. */
export interface MarkingStreams {
  /** The share of the instances that have such a stream, from 0 to 1. */
  readonly share: number;
  /** The marks of one stream per second, besides one for each change. */
  readonly marks: number;
}

export const NO_STREAMS: MarkingStreams = { share: 0, marks: 0 };

export function usageLoad(scenario: Scenario, edge: EdgeLoad, streams: MarkingStreams): UsageLoad {
  const { environments, keys } = scenario;
  const { reports } = edge;
  const flags = scenario["reported-flags"];
  const variants = flags * scenario["reported-variants"];
  const objects = Math.min(environments, scenario["usage-shards"]);
  const marks = lastSeenMarks(scenario, edge, streams);

  // An isolate sends what it has collected for `flushSeconds`, to each object of which it has some.
  const perIsolate = (reports + marks) / edge.isolates;
  const flushes = rateAfterPause(perIsolate, CODE.usageFlushSeconds);
  const reportBytes =
    MESSAGE_BYTES.report +
    flags * MESSAGE_BYTES.reportAFlag +
    variants * MESSAGE_BYTES.reportAVariant;
  const bytes = reports * reportBytes + marks * MESSAGE_BYTES.lastSeenMark;
  const met = flushes > 0 ? distinct(objects, perIsolate / flushes) : 0;
  const usageBatches = Math.max(edge.isolates * flushes * met, bytes / CODE.batchBytes);

  const deliveries = Math.min(
    edge.changes * scenario.integrations,
    CODE.webhooksAMonth / MONTH_SECONDS,
  );

  // Each flag adds one row per hour and environment to the database, and each application another.
  const environmentHours = reports > 0 ? environments / HOUR_SECONDS : 0;
  const flagHours = environmentHours * flags;
  // A flag, and an API key, is marked as used at most once a minute.
  const uses = (reports > 0 ? flags : 0) + environments * keys;
  const usesWritten = uses * rateAfterPause(perKey(edge, uses), CODE.markSeconds);
  const { flagHour, appHour, write, use, day } = ROWS;
  const object = objectLoad(scenario, { reports, marks, bytes, objects, batches: usageBatches });
  return {
    usageBatches,
    usageObjects: objects,
    ...object,
    webhookMessages: deliveries,
    marksSent: marks,
    operations: deliveries * OPERATIONS_A_MESSAGE,
    batches: batchesOf(deliveries, CODE.webhookQueue),
    transactions:
      environmentHours + objects * rateAfterPause(usesWritten / objects, CODE.usageSaveSeconds),
    deliveries,
    rowsRead: flagHours * flagHour.read + usesWritten * use.read,
    rowsWritten:
      flagHours * (flagHour.written + flagHour.deleted + day.written / 24) +
      environmentHours * (appHour.written + appHour.deleted + write.written + write.deleted) +
      usesWritten * use.written,
    expiringRows: HOUR_SECONDS * flagHours,
    databaseBytes:
      flagHours *
        HOUR_SECONDS *
        CODE.keptHoursOfFlags *
        (BYTES.flagHour + scenario["reported-variants"] * BYTES.variant) +
      environmentHours *
        HOUR_SECONDS *
        CODE.keptHoursOfApps *
        (BYTES.appHour + flags * BYTES.countOfFlag + variants * BYTES.variant),
  };
}

/** Returns how often per second a flag or key is used. */
const perKey = ({ polls, reports }: EdgeLoad, uses: number) =>
  uses === 0 ? 0 : (polls + reports) / uses;

interface ObjectInput {
  readonly reports: number;
  readonly marks: number;
  /** Bytes of batches per second. */
  readonly bytes: number;
  readonly objects: number;
  /** Batches per second. */
  readonly batches: number;
}

/** Returns the load of the usage objects themselves. */
function objectLoad(scenario: Scenario, { reports, marks, bytes, objects, batches }: ObjectInput) {
  const { instances, environments } = scenario;
  const known = Math.min(instances, environments * CODE.instancesAnEnvironment);
  const counts =
    reports > 0
      ? Math.min(instances * scenario["reported-flags"], objects * CODE.instanceCounts)
      : 0;
  const countBytes = counts * BYTES.countOfFlag;
  const stateBytes = known * BYTES.instance + countBytes;
  const saves = objects * rateAfterPause(batches / objects, CODE.usageSaveSeconds);
  const logRows = Math.max(saves, bytes / CODE.rowBytes);
  // The log is compacted once an hour, and whenever it has grown to three times the state.
  const compactions = objects / HOUR_SECONDS + bytes / Math.max(CODE.compactBytes, 2 * stateBytes);
  const stateRows = ROWS.compaction.written + stateBytes / objects / CODE.rowBytes;
  const { instanceHours } = ROWS;
  const instanceRows = countBytes / CODE.listBytes / HOUR_SECONDS;
  const { usageReportMs, usageMarkMs } = ASSUMPTIONS;
  return {
    // A row of the log is written once and deleted once.
    usageObjectRows:
      2 * (logRows + compactions * stateRows) +
      instanceRows * (instanceHours.written + instanceHours.deleted),
    usageObjectBytes: 3 * stateBytes + countBytes * CODE.keptHoursOfInstances,
    usageObjectBusy: (reports * usageReportMs.value + marks * usageMarkMs.value) / objects / 1000,
  };
}

/** Returns the expected number of distinct items after drawing `draws` times from `all` items. */
export const distinct = (all: number, draws: number) => all * (1 - (1 - 1 / all) ** draws);

/**
 * Returns the queue batches per second. The queue delivers a batch when it is full or at its
 * timeout.
 */
function batchesOf(messages: number, queue: { batchSize: number; batchSeconds: number }): number {
  const size = Math.min(queue.batchSize, Math.max(1, messages * queue.batchSeconds));
  return messages / size;
}

/** Returns the last-seen marks of SDK instances that isolates send, per second. */
function lastSeenMarks(
  scenario: Scenario,
  { polls, reports, changes, ...edge }: EdgeLoad,
  { share, marks }: MarkingStreams,
): number {
  const { instances, environments } = scenario;
  const rate = (polls + reports) / instances;
  const news = changes / environments;
  // Every isolate of a location sees every instance of the location, and sends its own mark.
  const met = rate / edge.isolatesPerLocation;
  const isForgotten = instances / (edge.isolates / edge.isolatesPerLocation) > CODE.marks;
  const paused = (each: number) => rateAfterPause(each, scenario["mark-seconds"]);
  const due = Math.min(met, paused(met) + news);
  const sentBy = isForgotten ? met : due;
  // A stream marks its instance for each change, however rarely the instance polls.
  const bySelf = isForgotten
    ? met + share * (marks + news)
    : share * (paused(met + marks) + news) + (1 - share) * due;
  return instances * ((edge.isolatesPerLocation - 1) * sentBy + bySelf);
}
