import { REQUEST_OUTCOMES } from "../change-requests/status.ts";
import { RAMP_OUTCOMES } from "../ramps/ramp.ts";

/**
 * Every metric of the Prometheus export as data. Names and units follow prometheus.io/docs/practices/naming.
 */

export interface MetricFamily {
  readonly type: "counter" | "gauge" | "histogram";
  /** The `# HELP` text of the metric: what it counts or measures. */
  readonly help: string;
  /**
   * Each label of the metric with its possible values. An empty list means that the values are not
   * known beforehand. Such a label must have few values.
   */
  readonly labels: Readonly<Record<string, readonly string[]>>;
  /** The upper bounds of a histogram's buckets, ascending, without the last bucket (+Inf). */
  readonly buckets?: readonly number[];
}

const CACHES = ["rules", "keys", "edge-store"] as const;

/** The values of the label `what` of the metric `faults_total`, besides `other` (see `faultLabel`). */
const FAULTS = [
  "key check",
  "rule store",
  "rule build",
  "regexes",
  "key store",
  "client",
  "usage",
  "rate limit",
  "later",
  "delivery",
  "webhooks",
  "mail",
  "a batch",
  "a message",
  "metrics",
  "stream",
  "schedule",
] as const;

const STREAMS = ["native", "ofrep", "project"] as const;
export type StreamLabel = (typeof STREAMS)[number];

const QUEUES = ["webhooks", "webhooks-dead", "usage"] as const;

/** Bucket bounds in seconds: the default buckets of Prometheus' own client libraries. */
const LATENCY = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
/** Bucket bounds for database queries, seconds. */
const QUERY = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5] as const;
/**
 * Bucket bounds for the time that a queue message waits, in seconds, up to one day. The message for
 * the last attempt at a webhook delivery waits for about 15 hours with the default settings.
 */
const LAG = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 21_600, 86_400] as const;

export const METRIC_FAMILIES = {
  http_server_requests_seconds: {
    type: "histogram",
    help:
      "Duration of HTTP requests. The platform's clock does not advance while code computes, so this " +
      "measures waiting.",
    labels: { method: [], uri: [], status: [] },
    buckets: LATENCY,
  },
  cache_gets_total: {
    type: "counter",
    help: "Cache look-ups: rules and key leases in memory, both of them in KV (edge-store).",
    labels: { cache: CACHES, result: ["hit", "miss"] },
  },
  cache_puts_total: {
    type: "counter",
    help: "Entries written to a cache.",
    labels: { cache: CACHES },
  },
  cache_evictions_total: {
    type: "counter",
    help: "Entries removed from a cache for lack of space, or because their API key was deleted.",
    labels: { cache: CACHES },
  },
  db_client_queries_total: {
    type: "counter",
    help: "Database queries, each a statement or a batch: succeeded, refused by a constraint, or failed.",
    labels: { outcome: ["success", "refused", "failure"] },
  },
  db_client_query_seconds: {
    type: "histogram",
    help: "Duration of database queries.",
    labels: {},
    buckets: QUERY,
  },
  db_client_connections: {
    type: "gauge",
    help:
      "Database queries in progress (active), and requests waiting for the query of another request " +
      "(pending).",
    labels: { state: ["active", "pending"] },
  },
  webhook_deliveries_total: {
    type: "counter",
    help:
      "Webhook delivery attempts that succeeded or failed, deliveries held back by the quota, and " +
      "deliveries given up as dead.",
    labels: { outcome: ["succeeded", "failed", "dead", "held"] },
  },
  queue_lag_seconds: {
    type: "histogram",
    help: "Time from sending a queue message to consuming it, including the delay before a retry.",
    labels: { queue: QUEUES },
    buckets: LAG,
  },
  schedule_lag_seconds: {
    type: "histogram",
    help: "Time from when a planned change was due to when it was made.",
    labels: {},
    buckets: LAG,
  },
  snapshot_builds_total: {
    type: "counter",
    help: "Rule snapshots of an environment built from the database.",
    labels: { outcome: ["success", "failure"] },
  },
  snapshot_build_seconds: {
    type: "histogram",
    help: "Duration of building an environment's rule snapshot from the database.",
    labels: {},
    buckets: LATENCY,
  },
  usage_reports_total: {
    type: "counter",
    help: "Usage reports of SDKs: accepted, rejected as malformed, or refused because usage cannot be delivered.",
    labels: { result: ["accepted", "rejected", "failed"] },
  },
  protection_overrides_total: {
    type: "counter",
    help:
      "Changes of protected environments without an approval: flags that were turned off (turn-off), and " +
      "approvals that an administrator has bypassed (bypass).",
    labels: { kind: ["turn-off", "bypass"] },
  },
  change_requests_total: {
    type: "counter",
    help: "Change requests that were opened, applied, or closed without being applied, and their reviews.",
    labels: { outcome: REQUEST_OUTCOMES },
  },
  ramp_steps_total: {
    type: "counter",
    help: "What happened to ramps: started, executed a step, paused, resumed, or ended.",
    labels: { outcome: RAMP_OUTCOMES },
  },
  stream_connections: {
    type: "gauge",
    help:
      "Open event streams: of SDKs that evaluate flags themselves (native), of OFREP clients, and of " +
      "dashboards (project).",
    labels: { kind: STREAMS },
  },
  stream_connects_total: {
    type: "counter",
    help:
      "Requests for an event stream: opened, opened again after an interruption (resumed), refused " +
      "because the service holds as many streams as it can (full), or failed. After the last two, SDKs " +
      "and OFREP clients poll, and dashboards fetch when their tab becomes visible.",
    labels: { kind: STREAMS, outcome: ["opened", "resumed", "full", "unavailable"] },
  },
  stream_events_total: {
    type: "counter",
    help: "Events written to event streams.",
    labels: { kind: STREAMS },
  },
  stream_heartbeats_total: {
    type: "counter",
    help: "Heartbeats of event streams that their Durable Object has answered, one every 25 seconds.",
    labels: { kind: STREAMS },
  },
  faults_total: {
    type: "counter",
    help: "Faults that were logged; most of them did not reach a caller.",
    labels: { what: [...FAULTS, "other"] },
  },
} as const satisfies Readonly<Record<string, MetricFamily>>;

export type FamilyName = keyof typeof METRIC_FAMILIES;

type OfType<T extends MetricFamily["type"]> = {
  [N in FamilyName]: (typeof METRIC_FAMILIES)[N]["type"] extends T ? N : never;
}[FamilyName];
export type CounterName = OfType<"counter">;
export type GaugeName = OfType<"gauge">;
export type HistogramName = OfType<"histogram">;

type LabelsIn<L extends MetricFamily["labels"]> = {
  readonly [K in keyof L]: L[K] extends readonly [] ? string : L[K][number];
};

/** The type of the labels of a metric family, with the values that each label may have. */
export type LabelsOf<N extends FamilyName> = LabelsIn<(typeof METRIC_FAMILIES)[N]["labels"]>;

export type CacheName = (typeof CACHES)[number];
export type QueueName = LabelsOf<"queue_lag_seconds">["queue"];
export type DeliveryOutcome = LabelsOf<"webhook_deliveries_total">["outcome"];

/**
 * Returns the metric label of a fault: the entry of `FAULTS` with which `what` begins, or `other`.
 * The label of "delivery 42" is `delivery`.
 */
export const faultLabel = (what: string): LabelsOf<"faults_total">["what"] =>
  FAULTS.find((known) => what.startsWith(known)) ?? "other";
