import { CODE, DAY_SECONDS } from "./code.ts";
import { type Load, loadOf } from "./model.ts";
import * as platform from "./platform.ts";
import type { Options } from "./scenario.ts";

export interface Limit {
  readonly name: string;
  readonly by: "Cloudflare" | "the code";
  readonly limit: number;
  readonly unit: string;
  readonly use: (load: Load) => number;
  /** What the operator does when the limit is reached. */
  readonly remedy: string;
}

export const LIMITS: readonly Limit[] = [
  {
    name: "KV: writes to one key",
    by: "Cloudflare",
    limit: platform.KV_WRITES_A_KEY,
    unit: "/s",
    use: (load) => load.putsOfOneKey,
    remedy:
      "Responses stay correct, but writes to KV fail and are repeated. Publish the rules once for a burst of changes.",
  },
  {
    name: "Usage object: time",
    by: "Cloudflare",
    limit: platform.OBJECT_BUSY_SECONDS,
    unit: " s/s",
    use: (load) => load.usageObjectBusy,
    remedy:
      "Batches wait, and isolates send them to the queue. Raise `USAGE_SHARDS`, which spreads the environments of a project over several objects.",
  },
  {
    name: "Usage object: requests",
    by: "Cloudflare",
    limit: platform.OBJECT_REQUESTS_A_SECOND,
    unit: "/s",
    use: (load) => load.usageBatches / load.usageObjects,
    remedy: "Raise `USAGE_SHARDS`.",
  },
  {
    name: "Usage object: storage",
    by: "Cloudflare",
    limit: platform.OBJECT_BYTES / 1e9,
    unit: " GB",
    use: (load) => load.usageObjectBytes / load.usageObjects / 1e9,
    remedy: "Raise `USAGE_SHARDS`, or keep usage by instance for a shorter time.",
  },
  {
    name: "D1: size of the database",
    by: "Cloudflare",
    limit: platform.D1_DATABASE_BYTES / 1e9,
    unit: " GB",
    use: (load) => load.databaseBytes / 1e9,
    remedy: "Keep hourly usage for a shorter time. Then use one database per project.",
  },
  {
    name: "D1: time of the primary",
    by: "Cloudflare",
    limit: platform.D1_BUSY_SECONDS,
    unit: " s/s",
    use: (load) => load.primaryBusy,
    remedy: "The changes of rules take most of it. Use one database per project.",
  },
  {
    name: "D1: time of the busiest replica",
    by: "Cloudflare",
    limit: platform.D1_BUSY_SECONDS,
    unit: " s/s",
    use: (load) => load.replicaBusy,
    remedy:
      "Use a longer lease. Then let one isolate per location ask for all others. Then use one database per project.",
  },
  {
    name: "Workers Logs: events",
    by: "Cloudflare",
    limit: platform.LOG_EVENTS_A_DAY / 1e9,
    unit: " billion a day",
    use: (load) => (load.logEvents * DAY_SECONDS) / 1e9,
    remedy:
      "Nothing fails, but Cloudflare keeps only one record in a hundred. `invocation_logs = false` in wrangler.toml saves the cost long before.",
  },
  {
    name: "Sweep: deleted rows of a table",
    by: "the code",
    limit: CODE.sweptRowsAnHour,
    unit: " an hour",
    use: (load) => load.expiringRows,
    remedy: "The tables grow without end. Delete expired rows in more chunks.",
  },
  {
    name: "Builds after a change hold up key checks",
    by: "the code",
    limit: CODE.databaseBoundSeconds,
    unit: " s",
    use: (load) => load.burstSeconds,
    remedy:
      "SDKs get the older rules for a moment. Let isolates wait for KV instead of building the rules at once.",
  },
  {
    name: "KV: size of an environment's rules",
    by: "Cloudflare",
    limit: platform.KV_VALUE_BYTES / 1e6,
    unit: " MB",
    use: (load) => load.snapshotBytes / 1e6,
    remedy: "Split the snapshot of an environment into several values.",
  },
  {
    name: "Isolate: rules in memory",
    by: "the code",
    limit: CODE.ruleCacheBytes / 1e6,
    unit: " MB",
    use: (load) => load.rulesBytes / 1e6,
    remedy: "Every request reads KV. Serve fewer environments from one Worker.",
  },
];

/** The largest number of SDK instances that the search tries. */
const MAX_INSTANCES = 1e9;

export interface Met {
  readonly limit: Limit;
  /**
   * The smallest number of SDK instances that reaches the limit; Infinity if `MAX_INSTANCES` does
   * not reach it.
   */
  readonly instances: number;
}

/**
 * Returns the smallest number of SDK instances that reaches a limit, found by bisection; Infinity
 * if `MAX_INSTANCES` does not reach it.
 */
function metAt(limit: Limit, scenario: Options): number {
  const isMet = (instances: number) => limit.use(loadOf({ ...scenario, instances })) >= limit.limit;
  if (!isMet(MAX_INSTANCES)) return Infinity;
  let [below, above] = [0, MAX_INSTANCES];
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (isMet(middle)) above = middle;
    else below = middle;
  }
  return above;
}

/** Returns all limits, sorted by the number of SDK instances that reaches them. */
export const limitsOf = (scenario: Options): readonly Met[] =>
  LIMITS.map((limit): Met => ({ limit, instances: metAt(limit, scenario) })).toSorted(
    (one, other) => one.instances - other.instances,
  );
