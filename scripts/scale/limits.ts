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
  /** What one would do when it is met. */
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
      "Answers stay right, but puts fail, and come again: put the rules of a burst of changes once.",
  },
  {
    name: "Queues: messages of the usage queue",
    by: "Cloudflare",
    limit: platform.QUEUE_MESSAGES,
    unit: "/s",
    use: (load) => load.usageMessages,
    remedy:
      "Report less often; then add the reports up in the isolate, as sightings are; then several queues, by environment.",
  },
  {
    name: "D1: size of the database",
    by: "Cloudflare",
    limit: platform.D1_DATABASE_BYTES / 1e9,
    unit: " GB",
    use: (load) => load.databaseBytes / 1e9,
    remedy:
      "Keep instance usage for a day, and report ids for hours; then a database of its own for usage.",
  },
  {
    name: "D1: time of the primary",
    by: "Cloudflare",
    limit: platform.D1_BUSY_SECONDS,
    unit: " s/s",
    use: (load) => load.primaryBusy,
    remedy:
      "Mark instances and report less often; then a database of its own for usage, by environment.",
  },
  {
    name: "D1: time of the busiest replica",
    by: "Cloudflare",
    limit: platform.D1_BUSY_SECONDS,
    unit: " s/s",
    use: (load) => load.replicaBusy,
    remedy:
      "A longer lease; then one isolate of a location asks for all of them; then a database per project.",
  },
  {
    name: "Workers Logs: events",
    by: "Cloudflare",
    limit: platform.LOG_EVENTS_A_DAY / 1e9,
    unit: " billion a day",
    use: (load) => (load.logEvents * DAY_SECONDS) / 1e9,
    remedy:
      "Nothing fails, one in a hundred is kept; `invocation_logs = false` in wrangler.toml long before, for the cost.",
  },
  {
    name: "Sweep: rows of a table",
    by: "the code",
    limit: CODE.sweptRowsAnHour,
    unit: " an hour",
    use: (load) => load.expiringRows,
    remedy: "The tables grow without end: sweep every minute, as the relay does, or in more bites.",
  },
  {
    name: "Builds after a change hold up key checks",
    by: "the code",
    limit: CODE.databaseBoundSeconds,
    unit: " s",
    use: (load) => load.burstSeconds,
    remedy:
      "SDKs get the older rules for the moment: let isolates wait for KV instead of building at once.",
  },
  {
    name: "KV: size of an environment's rules",
    by: "Cloudflare",
    limit: platform.KV_VALUE_BYTES / 1e6,
    unit: " MB",
    use: (load) => load.snapshotBytes / 1e6,
    remedy: "Split a snapshot into several values.",
  },
  {
    name: "Isolate: rules in memory",
    by: "the code",
    limit: CODE.ruleCacheBytes / 1e6,
    unit: " MB",
    use: (load) => load.rulesBytes / 1e6,
    remedy: "Every request reads KV: keep the rules of fewer environments in one Worker.",
  },
];

/** Beyond that many instances nobody asks. */
const MOST = 1e9;

export interface Met {
  readonly limit: Limit;
  /** The least number of instances that meets it; Infinity: none does. */
  readonly instances: number;
}

/** The least number of instances with which a limit is met, by bisection. */
export function metAt(limit: Limit, scenario: Options): number {
  const isMet = (instances: number) => limit.use(loadOf({ ...scenario, instances })) >= limit.limit;
  if (!isMet(MOST)) return Infinity;
  let [below, above] = [0, MOST];
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (isMet(middle)) above = middle;
    else below = middle;
  }
  return above;
}

/** All limits, the first to be met first. */
export const limitsOf = (scenario: Options): readonly Met[] =>
  LIMITS.map((limit): Met => ({ limit, instances: metAt(limit, scenario) })).toSorted(
    (one, other) => one.instances - other.instances,
  );
