/**
 * Every number of the model that is not computed: prices and limits of the Workers Paid plan (read
 * in November 2026 from https://developers.cloudflare.com), numbers of the code and of
 * wrangler.toml, and assumptions.
 */

const MILLION = 1_000_000;

/** A monthly price in US$ per `unit`, for the amount above the included amount. */
export interface Price {
  readonly included: number;
  readonly unit: number;
  readonly usd: number;
}

const price = (included: number, usd: number): Price => ({ included, unit: MILLION, usd });

/** The price of the plan in US$ a month (developers.cloudflare.com/workers/platform/pricing/). */
export const SUBSCRIPTION_USD = 5;

export const PRICES = {
  // The price of requests to Workers (/workers/platform/pricing/).
  workerRequests: price(10 * MILLION, 0.3),
  workerCpuMs: price(30 * MILLION, 0.02),
  // The price of rows in D1 (/d1/platform/pricing/).
  rowsRead: price(25_000 * MILLION, 0.001),
  rowsWritten: price(50 * MILLION, 1),
  // The prices of operations in KV (/kv/platform/pricing/). Cloudflare bills every read, also when
  // its cache has the value.
  kvReads: price(10 * MILLION, 0.5),
  kvWrites: price(MILLION, 5),
  // The price of Durable Objects (/durable-objects/platform/pricing/). The duration is GB of memory
  // times seconds.
  objectRequests: price(MILLION, 0.15),
  objectRowsWritten: price(50 * MILLION, 1),
  objectDuration: price(400_000, 12.5),
} as const;

/** The memory that Cloudflare bills for an active Durable Object, GB. */
export const OBJECT_GB = 0.128;

/** The number of D1 replicas: one in each of six regions (/d1/best-practices/read-replication/). */
export const REPLICAS = 6;

/** Numbers that `src` defines as constants with other names. */
export const CODE = {
  /** How long KV caches a snapshot, seconds (platform/bindings/edge-store.ts). */
  cacheSeconds: 30,
  /** The variables `USAGE_FLUSH_SECONDS` and `METRICS_FLUSH_SECONDS` of wrangler.toml. */
  usageFlushSeconds: 5,
  metricsFlushSeconds: 5,
  /** How often a usage object stores usage, seconds (platform/settings.ts). */
  usageSaveSeconds: 10,
  /** The size of a usage batch, bytes (client/usage/usage-buffer.ts). */
  batchBytes: 60_000,
  /** The size of a row in a usage object, and of its log before a compaction, bytes (core/usage/usage-store.ts). */
  objectRowBytes: 500_000,
  compactBytes: 8 * MILLION,
  /** The size of a row with counts of SDK instances, bytes (core/usage/usage-state.ts). */
  instanceRowBytes: 200_000,
  /** The streams of one SERVER key that a leaf holds: half of `STREAMS_PER_LEAF` of wrangler.toml. */
  streamsPerLeaf: 2_500,
  heartbeatSeconds: 25,
  /**
   * The most streams to which a leaf sends an event at once, and over how many seconds it sends to
   * more (core/stream/leaf.ts).
   */
  burst: 1_000,
  spreadSeconds: 0.9,
} as const;

/**
 * The rows that D1 counts for one operation, measured on the local runtime.
 * test/worker/scale.test.ts checks these numbers.
 */
export const ROWS = {
  keyCheck: { read: 2 },
  build: { readAFlag: 6.5 },
  /**
   * Rows for a change of one strategy, with its audit record, event, revision and one webhook
   * delivery.
   */
  change: { read: 100, written: 32 },
  /**
   * Rows for the usage of one flag in one environment and hour. The row is deleted when it is added
   * to a day.
   */
  flagHour: { read: 4, written: 1, deleted: 1 },
  /** Rows for the usage of one application in one hour. */
  appHour: { written: 2, deleted: 1 },
  /** Rows for the id of the write of one environment and hour. */
  write: { written: 1, deleted: 1 },
  /** Rows for the first hour of a day, for one flag and environment. */
  day: { written: 4 },
  /** Rows for the last use of a flag or an API key. */
  use: { read: 6, written: 1 },
} as const;

/** The sizes of messages and rows, bytes of JSON, for ids as long as UUIDs. */
export const BYTES = {
  report: 130,
  reportAFlag: 30,
  lastSeenMark: 220,
  /** The size of an SDK instance in a usage object, with its counts of one flag. */
  instance: 300,
  countOfFlag: 31,
} as const;

const assume = (value: number, unit: string, why: string) => ({ value, unit, why });

/**
 * Assumptions about what Cloudflare does not publish and the code does not define. The report
 * prints these numbers.
 */
export const ASSUMPTIONS = {
  requestsPerIsolate: assume(
    500,
    "requests/s that one isolate serves before its location starts another",
    "an isolate has one thread, here half busy; Cloudflare sends all requests of a location to one isolate " +
      "as long as the isolate can serve them (blog.cloudflare.com, Shard and Conquer)",
  ),
  cpuMs: assume(1, "ms of billed CPU per request", "the local benchmark needs about 0.1 ms"),
  keyCheckMs: assume(1, "ms for a replica to check a key", "the example on D1's limits page"),
  buildMsAFlag: assume(0.01, "ms per flag for a build of rules", "twice the local time"),
  usageReportMs: assume(
    0.03,
    "ms for a usage object to add and store a usage report of 20 flags",
    "2.5 times the local time",
  ),
  usageMarkMs: assume(
    0.005,
    "ms for a usage object to add and store a last-seen mark",
    "2.5 times the local time",
  ),
  replicaSkew: assume(
    2,
    "times the average load: the busiest replica",
    "Cloudflare's locations are not spread evenly over the regions of D1",
  ),
  lagSeconds: assume(
    0.8,
    "s replication lag, median",
    "200 probes published by one user, from Tokyo to a primary in North America; Cloudflare publishes no number",
  ),
  publishSeconds: assume(
    1,
    "s from a commit until KV has the rules",
    "a read, a build and a write",
  ),
  streamPollSeconds: assume(
    300,
    "s between two polls beside a stream",
    "docs/use/api.md asks for it",
  ),
  connectsADay: assume(
    4,
    "connects of a stream a day",
    "a deploy and an update of Cloudflare's runtime close all streams, and networks cut some; not measured",
  ),
  streamCpuMs: assume(
    0.1,
    "ms of billed CPU of a Worker for a heartbeat or an event",
    "the local runtime takes 135 ms for an event to 2,000 streams, with the clients on the same machine",
  ),
  callMs: assume(
    50,
    "ms that a Durable Object is active for a request",
    "it stores a revision and sends; a hub waits for its leaves, which may be on another continent",
  ),
} as const;
