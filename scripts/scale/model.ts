import { ASSUMPTIONS } from "./assumptions.ts";
import { CODE, DAY_SECONDS } from "./code.ts";
import { rateAfterPause, buildSeconds, type EdgeLoad, edgeLoad } from "./edge.ts";
import { LOG_EVENTS_A_DAY, LOG_SAMPLE_BEYOND } from "./platform.ts";
import { ROWS, RULE_BYTES } from "./rows.ts";
import type { Scenario } from "./scenario.ts";
import { type MarkingStreams, NO_STREAMS, type UsageLoad, usageLoad } from "./usage.ts";

/**
 * The load of the SDK instances on Cloudflare's platform, as the model computes it. Rates are per
 * second.
 */
export interface Load extends EdgeLoad, UsageLoad {
  /** Invocations of the Worker: requests of SDKs and queue batches. */
  readonly invocations: number;
  readonly kvReads: number;
  readonly kvWrites: number;
  /** The utilisation of the primary, from 0 to 1; above 1 it is overloaded. */
  readonly primaryBusy: number;
  /** Log events before and after Cloudflare's sampling. */
  readonly logEvents: number;
  readonly keptLogEvents: number;
  /** Bytes of the rules of one environment, and of all environments. */
  readonly snapshotBytes: number;
  readonly rulesBytes: number;
  /**
   * Requests to Durable Objects. SDK requests make none, but each isolate sends its usage and its
   * metrics every few seconds.
   */
  readonly objectRequests: number;
  readonly objectRowsWritten: number;
}

/**
 * The transactions of a webhook delivery with one attempt: two hand the delivery over to the queue,
 * one claims it, and one stores its result. Several deliveries may share the first two.
 */
const TRANSACTIONS_A_DELIVERY = 4;

/** @param streams the streams that mark their SDK instances as seen */
export function loadOf(scenario: Scenario, streams: MarkingStreams = NO_STREAMS): Load {
  const edge = edgeLoad(scenario);
  const usage = usageLoad(scenario, edge, streams);
  const { keyChecks, builds, changes, refreshes, polls, reports } = edge;
  const { change, delivery } = ROWS;
  const rowsWritten =
    usage.rowsWritten + changes * change.written + usage.deliveries * delivery.written;
  const transactions = usage.transactions + changes + usage.deliveries * TRANSACTIONS_A_DELIVERY;
  const { writeMs, writtenRowMs } = ASSUMPTIONS;
  const invocations = polls + reports + usage.batches;
  const snapshotBytes = scenario.flags * RULE_BYTES;
  const { isolates } = edge;
  const flushes = metricsFlushes(isolates, invocations);
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
    // The request that changes the rules writes them to KV once.
    kvWrites: changes,
    primaryBusy:
      (transactions * writeMs.value + rowsWritten * writtenRowMs.value) / 1000 +
      changes * buildSeconds(scenario),
    ...logOf(scenario, invocations),
    snapshotBytes,
    rulesBytes: snapshotBytes * scenario.environments,
    objectRequests: flushes + usage.usageBatches,
    objectRowsWritten: metricsRows(flushes) + usage.usageObjectRows,
  };
}

/** Returns the log events per second of a number of invocations per second. */
export function logOf(
  scenario: Scenario,
  invocations: number,
): Pick<Load, "logEvents" | "keptLogEvents"> {
  const logEvents = invocations * scenario["log-sampling"] * ASSUMPTIONS.logEvents.value;
  const fullLog = Math.min(logEvents, LOG_EVENTS_A_DAY / DAY_SECONDS);
  return { logEvents, keptLogEvents: fullLog + (logEvents - fullLog) * LOG_SAMPLE_BEYOND };
}

/** Returns how often per second the isolates report metrics, which count `events` per second. */
export const metricsFlushes = (isolates: number, events: number): number =>
  isolates * rateAfterPause(events / isolates, CODE.metricsFlushSeconds);

/** Returns the rows per second that the metrics objects write. */
export const metricsRows = (flushes: number): number =>
  Math.min(flushes, CODE.metricsObjects / CODE.metricsSaveSeconds);
