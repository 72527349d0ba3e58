/** Every metric of the service, as data; names and units as prometheus.io/docs/practices/naming wants. */

export interface MetricFamily {
  readonly type: "counter" | "gauge" | "histogram";
  /** What one is counted for, or what is measured. */
  readonly help: string;
  /** Each label with its values; none: they are not known beforehand, but few. */
  readonly labels: Readonly<Record<string, readonly string[]>>;
  /** Upper bounds of a histogram's buckets, ascending; the last, +Inf, goes without saying. */
  readonly buckets?: readonly number[];
}

const CACHES = ["rules", "keys", "edge-store"] as const;

/** What faults are told apart by; see `faultLabel`. */
const FAULTS = [
  "key check",
  "rule store",
  "rule build",
  "key store",
  "client",
  "sightings",
  "rate limit",
  "later",
  "delivery",
  "webhooks",
  "mail",
  "a batch",
  "a message",
  "metrics",
] as const;

/** Seconds. The standard buckets of Prometheus' own clients. */
const LATENCY = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
const QUERY = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5] as const;
/** Up to a day: the last attempt at a delivery comes about then. */
const LAG = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 21_600, 86_400] as const;

export const METRIC_FAMILIES = {
  http_server_requests_seconds: {
    type: "histogram",
    help:
      "Requests, from their arrival to their answer. The clock of the platform stands still while " +
      "code computes: what is measured is the waiting.",
    labels: { method: [], uri: [], status: [] },
    buckets: LATENCY,
  },
  cache_gets_total: {
    type: "counter",
    help: "Look-ups: rules and key leases in memory, both of them in the edge's store (KV).",
    labels: { cache: CACHES, result: ["hit", "miss"] },
  },
  cache_puts_total: {
    type: "counter",
    help: "Entries put into a cache.",
    labels: { cache: CACHES },
  },
  cache_evictions_total: {
    type: "counter",
    help: "Entries that left a cache for lack of room, or with the key that they were about.",
    labels: { cache: CACHES },
  },
  db_client_queries_total: {
    type: "counter",
    help:
      "Questions to the database, a statement or a batch of them: answered, refused because of what " +
      "the database holds, or failed.",
    labels: { outcome: ["success", "refused", "failure"] },
  },
  db_client_query_seconds: {
    type: "histogram",
    help: "Questions to the database, until they were answered or failed.",
    labels: {},
    buckets: QUERY,
  },
  db_client_connections: {
    type: "gauge",
    help:
      "Questions to the database that are under way (active), and requests that wait for a question " +
      "which another one asked (pending).",
    labels: { state: ["active", "pending"] },
  },
  webhook_deliveries_total: {
    type: "counter",
    help:
      "Attempts at webhook deliveries that succeeded or failed, deliveries that were held back by " +
      "the quota, and those that were given up as dead.",
    labels: { outcome: ["succeeded", "failed", "dead", "held"] },
  },
  queue_lag_seconds: {
    type: "histogram",
    help:
      "Messages of a queue, from their sending to their consumption, the delay of a repeated " +
      "delivery included.",
    labels: { queue: ["webhooks", "webhooks-dead", "usage"] },
    buckets: LAG,
  },
  snapshot_builds_total: {
    type: "counter",
    help: "Builds of an environment's rules from the database.",
    labels: { outcome: ["success", "failure"] },
  },
  snapshot_build_seconds: {
    type: "histogram",
    help: "Builds of an environment's rules from the database, until they were ready or failed.",
    labels: {},
    buckets: LATENCY,
  },
  usage_reports_total: {
    type: "counter",
    help: "Usage reports of SDKs: handed to the queue, refused as malformed, or not taken by the queue.",
    labels: { result: ["accepted", "rejected", "failed"] },
  },
  faults_total: {
    type: "counter",
    help: "Faults that the log tells of, most of which callers were spared.",
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

/** The labels of a family's series, with the values that each may have. */
export type LabelsOf<N extends FamilyName> = LabelsIn<(typeof METRIC_FAMILIES)[N]["labels"]>;

export type CacheName = (typeof CACHES)[number];
export type QueueName = LabelsOf<"queue_lag_seconds">["queue"];
export type DeliveryOutcome = LabelsOf<"webhook_deliveries_total">["outcome"];

/** What a fault is counted as: its words may name what it was about. */
export const faultLabel = (what: string): LabelsOf<"faults_total">["what"] =>
  FAULTS.find((known) => what.startsWith(known)) ?? "other";
