interface Assumption {
  readonly value: number;
  readonly unit: string;
  readonly why: string;
}

const assume = (value: number, unit: string, why: string): Assumption => ({ value, unit, why });

/** What nobody publishes and the code does not say. Each is printed with the result. */
export const ASSUMPTIONS = {
  requestsPerIsolate: assume(
    500,
    "requests/s an isolate takes before a location starts another",
    "one thread, half busy; Cloudflare gathers a Worker's requests of a location in one isolate " +
      "as long as that copes (blog.cloudflare.com, Shard and Conquer)",
  ),
  cpuMs: assume(1, "ms of billed CPU a request", "the local benchmark takes about a tenth"),
  logEvents: assume(
    1,
    "log event a request, while `invocation_logs` are on",
    "the invocation's own; the hot path writes none",
  ),
  keyCheckMs: assume(
    1,
    "ms a replica needs to check a key",
    "the example of D1's limits page, which says less for an indexed read",
  ),
  writeMs: assume(5, "ms the primary needs for a transaction", "D1's limits page: several"),
  writtenRowMs: assume(0.005, "ms more for each row it writes", "2.5 times the local runtime"),
  buildMsAFlag: assume(0.01, "ms a build of rules takes for each flag", "twice the local runtime"),
  replicaSkew: assume(
    2,
    "times the average: the busiest replica",
    "locations are not spread evenly over D1's regions",
  ),
  lagSeconds: assume(
    0.8,
    "s a replica is behind, median",
    "one stranger's 200 probes, Tokyo behind North America; Cloudflare publishes none",
  ),
  worstLagSeconds: assume(6.1, "s, its 99th percentile", "the same probes"),
  publishSeconds: assume(1, "s from a commit until KV has the rules", "a read, a build, a put"),
} as const satisfies Readonly<Record<string, Assumption>>;
