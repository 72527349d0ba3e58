export interface Assumption {
  readonly value: number;
  readonly unit: string;
  readonly why: string;
}

const assume = (value: number, unit: string, why: string): Assumption => ({ value, unit, why });

/**
 * The numbers of the model that Cloudflare does not publish and the code does not define. The
 * report prints them.
 */
export const ASSUMPTIONS = {
  requestsPerIsolate: assume(
    500,
    "requests/s that one isolate serves before its location starts another",
    "an isolate has one thread, here half busy; Cloudflare sends all requests of a location to one isolate " +
      "as long as the isolate can serve them (blog.cloudflare.com, Shard and Conquer)",
  ),
  cpuMs: assume(1, "ms of billed CPU per request", "the local benchmark needs about 0.1 ms"),
  logEvents: assume(
    1,
    "log event per request while `invocation_logs` are on",
    "the event of the invocation itself; the client API writes none",
  ),
  keyCheckMs: assume(
    1,
    "ms for a replica to check a key",
    "the example on D1's limits page; an indexed read takes less",
  ),
  writeMs: assume(
    5,
    "ms for the primary to run a transaction",
    "D1's limits page says several milliseconds",
  ),
  writtenRowMs: assume(
    0.005,
    "ms more per row that the transaction writes",
    "2.5 times the time on the local runtime",
  ),
  buildMsAFlag: assume(
    0.01,
    "ms per flag for a build of rules",
    "twice the time on the local runtime",
  ),
  usageReportMs: assume(
    0.03,
    "ms for a usage object to add a usage report of 20 flags, and to store it",
    "2.5 times the time on the local runtime",
  ),
  usageMarkMs: assume(
    0.005,
    "ms for a usage object to add a last-seen mark, and to store it",
    "2.5 times the time on the local runtime",
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
  worstLagSeconds: assume(6.1, "s replication lag, 99th percentile", "the same 200 probes"),
  publishSeconds: assume(
    1,
    "s from a commit until KV has the rules",
    "one read, one build, one write",
  ),
} as const satisfies Readonly<Record<string, Assumption>>;

/** The assumptions about event streams. */
export const STREAM_ASSUMPTIONS = {
  pollSeconds: assume(
    300,
    "s between two polls while the stream is open",
    "docs/api.md asks it of clients",
  ),
  silentSeconds: assume(
    60,
    "s without a heartbeat until a client gives its stream up",
    "docs/api.md asks it of clients",
  ),
  connectsADay: assume(
    4,
    "connects of a client a day",
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
  pathSeconds: assume(
    0.3,
    "s from the writer over the hub and a leaf to the client, median",
    "four hops between locations and 40 ms on the local runtime; not measured on Cloudflare's network",
  ),
  worstPathSeconds: assume(
    1,
    "s for the same path, worst case",
    "the hub and the leaf must be loaded first; not measured",
  ),
  fetchSeconds: assume(
    0.1,
    "s for the bulk evaluation of an OFREP client after an event, median",
    "one round trip and one KV read",
  ),
  dashboards: assume(
    3,
    "dashboards in visible tabs, around the clock",
    "a few people work on a project at the same time; a hidden tab has no stream",
  ),
  dashboardFetches: assume(
    5,
    "requests of a dashboard after an event",
    "the queries of its page, of which the list of flags reads as many rows as a build of rules; not measured",
  ),
} as const satisfies Readonly<Record<string, Assumption>>;
