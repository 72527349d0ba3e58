import { ASSUMPTIONS } from "./assumptions.ts";
import { CODE, DAY_SECONDS } from "./code.ts";
import { afterRest, buildSeconds, type EdgeLoad, edgeLoad } from "./edge.ts";
import { LOG_EVENTS_A_DAY, LOG_SAMPLE_BEYOND } from "./platform.ts";
import { ROWS, RULE_BYTES } from "./rows.ts";
import type { Scenario } from "./scenario.ts";
import { type UsageLoad, usageLoad } from "./usage.ts";

/** What a number of SDK instances asks of the platform; rates by the second. */
export interface Load extends EdgeLoad, UsageLoad {
  /** What wakes a Worker: requests, and batches of the queues. */
  readonly invocations: number;
  readonly kvReads: number;
  readonly kvWrites: number;
  /** Share of its time that the primary works. */
  readonly primaryBusy: number;
  /** Log events before and after Cloudflare's own sampling. */
  readonly logEvents: number;
  readonly keptLogEvents: number;
  /** The rules of one environment, and of all of them. */
  readonly snapshotBytes: number;
  readonly rulesBytes: number;
  /** No path of an SDK goes through a Durable Object; each isolate tells what it has counted. */
  readonly objectRequests: number;
  readonly objectRowsWritten: number;
}

/** Of a delivery: the claim, the result, and its share of two to hand it over. */
const TRANSACTIONS_A_DELIVERY = 4;

export function loadOf(scenario: Scenario): Load {
  const edge = edgeLoad(scenario);
  const usage = usageLoad(scenario, edge);
  const { keyChecks, builds, changes, refreshes, polls, reports } = edge;
  const { change, delivery } = ROWS;
  const rowsWritten =
    usage.rowsWritten + changes * change.written + usage.deliveries * delivery.written;
  const transactions = usage.transactions + changes + usage.deliveries * TRANSACTIONS_A_DELIVERY;
  const { writeMs, writtenRowMs } = ASSUMPTIONS;
  const invocations = polls + reports + usage.batches;
  const logEvents = invocations * scenario["log-sampling"] * ASSUMPTIONS.logEvents.value;
  const fullLog = Math.min(logEvents, LOG_EVENTS_A_DAY / DAY_SECONDS);
  const snapshotBytes = scenario.flags * RULE_BYTES;
  const { isolates } = edge;
  const objectRequests = isolates * afterRest(invocations / isolates, CODE.metricsFlushSeconds);
  return {
    ...edge,
    ...usage,
    invocations,
    rowsRead:
      usage.rowsRead +
      keyChecks * ROWS.keyCheck.read +
      (builds + changes) * scenario.flags * ROWS.build.readAFlag +
      changes * change.read +
      usage.deliveries * delivery.read,
    rowsWritten,
    kvReads: refreshes,
    // The one who changes puts the new rules.
    kvWrites: changes,
    primaryBusy:
      (transactions * writeMs.value + rowsWritten * writtenRowMs.value) / 1000 +
      changes * buildSeconds(scenario),
    logEvents,
    keptLogEvents: fullLog + (logEvents - fullLog) * LOG_SAMPLE_BEYOND,
    snapshotBytes,
    rulesBytes: snapshotBytes * scenario.environments,
    objectRequests,
    objectRowsWritten: Math.min(objectRequests, CODE.metricsObjects / CODE.metricsSaveSeconds),
  };
}
