import { edgeMetrics, streamMetrics } from "../client/edge-metrics.ts";
import {
  cacheCounters,
  trackInProgress,
  recordWork,
  type WorkInstruments,
} from "../core/metrics/instruments.ts";
import {
  type DeliveryOutcome,
  faultLabel,
  type LabelsOf,
  type ObjectName,
  type QueueName,
} from "../core/metrics/metric-families.ts";
import { type Counter, MetricsRegistry } from "../core/metrics/registry.ts";
import { RequestHistogram } from "../core/metrics/request-histogram.ts";
import { isConstraintViolation } from "../db/database.ts";
import { now } from "./clock.ts";
import { rowsOf } from "./bindings/d1-response.ts";
import type { QueryObserver } from "./bindings/database.ts";

/**
 * The counters, histograms and gauges of this isolate, kept between requests. `metrics-report.ts`
 * reports them.
 */
export const metrics = new MetricsRegistry();

export const requestHistogram = new RequestHistogram(metrics);
export const clientMetrics = edgeMetrics(metrics);
export const projectStreamMetrics = streamMetrics(metrics, "project");
export const kvCounters = cacheCounters(metrics, "edge-store");

const rowsRead = metrics.counter("db_client_rows_total", { operation: "read" });
const rowsWritten = metrics.counter("db_client_rows_total", { operation: "written" });

const active = metrics.gauge("db_client_connections", { state: "active" });
const queries = queryMeter();

/**
 * Runs a database query. Records the query's outcome and duration, counts the query as active while
 * it runs, and counts the rows that it has read and written.
 */
export const observeQuery: QueryObserver = async (ask) => {
  const response = await trackInProgress(active, () => recordWork(queries, now, ask));
  const { read, written } = rowsOf(response);
  rowsRead.add(read);
  rowsWritten.add(written);
  return response;
};

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

type Handler = LabelsOf<"worker_invocations_total">["handler"];

/** Returns the counter of the invocations of one handler of the Worker. */
export const invocations = (handler: Handler): Counter =>
  metrics.counter("worker_invocations_total", { handler });

/** Counts requests to Durable Objects, and the rows that the objects have written. */
export function countObjectUse(object: ObjectName, requests: number, rows = 0): void {
  metrics.counter("object_requests_total", { object }).add(requests);
  metrics.counter("object_rows_written_total", { object }).add(rows);
}

/** Counts the operations of a message that the consumer of a queue gets. */
export function countQueueOperations(queue: QueueName, operations: number): void {
  metrics.counter("queue_operations_total", { queue }).add(operations);
}

export function countDeliveries(outcome: DeliveryOutcome, n = 1): void {
  metrics.counter("webhook_deliveries_total", { outcome }).add(n);
}

export const countHeld = (deliveries: number): void => countDeliveries("held", deliveries);

export function countFault(what: string): void {
  metrics.counter("faults_total", { what: faultLabel(what) }).add();
}

/**
 * Records how long the messages of a batch waited in a queue. `sent` contains the time at which
 * each message was sent, in epoch milliseconds.
 */
export function observeLag(queue: QueueName, sent: readonly number[]): void {
  const lag = metrics.histogram("queue_lag_seconds", { queue });
  for (const at of sent) lag.observe((now() - at) / 1000);
}
