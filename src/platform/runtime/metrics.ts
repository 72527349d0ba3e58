import { edgeMetrics, streamMetrics } from "../../client/sources/edge-metrics.ts";
import { REQUEST_OUTCOMES } from "../../core/change-requests/status.ts";
import { RAMP_OUTCOMES } from "../../core/ramps/ramp.ts";
import {
  cacheCounters,
  trackInProgress,
  recordWork,
  type WorkInstruments,
} from "../../core/metrics/instruments.ts";
import {
  type DeliveryOutcome,
  faultLabel,
  type QueueName,
} from "../../core/metrics/metric-families.ts";
import { MetricsRegistry } from "../../core/metrics/registry.ts";
import { RequestHistogram } from "../../core/metrics/request-histogram.ts";
import type { Change } from "../../db/commit.ts";
import { isConstraintViolation } from "../../db/database.ts";
import { now } from "./clock.ts";

/**
 * The counters, histograms and gauges of this isolate, kept between requests. `metrics-report.ts`
 * reports them.
 */
export const metrics = new MetricsRegistry();

export const requestHistogram = new RequestHistogram(metrics);
export const clientMetrics = edgeMetrics(metrics);
export const projectStreamMetrics = streamMetrics(metrics, "project");
export const kvCounters = cacheCounters(metrics, "edge-store");

const active = metrics.gauge("db_client_connections", { state: "active" });
const queries = queryMeter();

/**
 * Runs a database query. Records the query's outcome and duration, and counts the query as active
 * while it runs.
 */
export const observeQuery: QueryObserver = (ask) =>
  trackInProgress(active, () => recordWork(queries, now, ask));

function queryMeter(): WorkInstruments {
  const outcome = (name: "success" | "refused" | "failure") =>
    metrics.counter("db_client_queries_total", { outcome: name });
  const [refused, failure] = [outcome("refused"), outcome("failure")];
  return {
    seconds: metrics.histogram("db_client_query_seconds", {}),
    success: outcome("success"),
    failure: (error) => (isConstraintViolation(error) ? refused : failure),
  };
}

export function countDeliveries(outcome: DeliveryOutcome, n = 1): void {
  metrics.counter("webhook_deliveries_total", { outcome }).add(n);
}

export const countHeld = (deliveries: number): void => countDeliveries("held", deliveries);

/**
 * Counts a change of a protected environment that needed no approval, and what happens to a change
 * request or a ramp.
 */
export function countChange({ audit }: Change): void {
  for (const kind of new Set(audit.flatMap(({ override }) => override ?? [])))
    metrics.counter("protection_overrides_total", { kind }).add();
  for (const { action } of audit) {
    const outcome = REQUEST_OUTCOMES.find((one) => action === `change-request.${one}`);
    if (outcome) metrics.counter("change_requests_total", { outcome }).add();
    const ramp = RAMP_OUTCOMES.find((one) => action === `ramp.${one}`);
    if (ramp) metrics.counter("ramp_steps_total", { outcome: ramp }).add();
  }
}

export function countFault(what: string): void {
  metrics.counter("faults_total", { what: faultLabel(what) }).add();
}

/** Records how late a planned change was, milliseconds. */
export const observeScheduleLag = (lateMs: number): void => {
  metrics.histogram("schedule_lag_seconds", {}).observe(lateMs / 1000);
};

/**
 * Records how long the messages of a batch waited in a queue. `sent` contains the time at which
 * each message was sent, in epoch milliseconds.
 */
export function observeLag(queue: QueueName, sent: readonly number[]): void {
  const lag = metrics.histogram("queue_lag_seconds", { queue });
  for (const at of sent) lag.observe((now() - at) / 1000);
}
/** A function that runs each database query (a statement or a batch), to count and time it. */

export type QueryObserver = <T>(query: () => Promise<T>) => Promise<T>;
