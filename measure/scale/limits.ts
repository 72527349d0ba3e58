import { type Load, loadOf } from "./model.ts";
import type { Options } from "./scenario.ts";

/**
 * A limit of Cloudflare, and the number of polling SDK instances that reaches it. A replica of D1
 * and a Durable Object are single-threaded. An object takes "about" 1,000 requests a second
 * (/d1/platform/limits/, /durable-objects/platform/limits/).
 */
export interface Limit {
  readonly name: string;
  readonly limit: number;
  readonly use: (load: Load) => number;
  /** What the operator can do when the limit is reached. */
  readonly remedy: string;
}

export const LIMITS: readonly Limit[] = [
  {
    name: "Usage object: 1 s of work a second",
    limit: 1,
    use: (load) => load.usageObjectBusy,
    remedy:
      "Batches wait, and isolates send them to the queue. Raise `USAGE_SHARDS`, which spreads the environments of a project over several objects.",
  },
  {
    name: "Usage object: 1,000 requests a second",
    limit: 1_000,
    use: (load) => load.usageBatches / load.usageObjects,
    remedy: "Raise `USAGE_SHARDS`.",
  },
  {
    name: "Busiest replica of D1: 1 s of work a second",
    limit: 1,
    use: (load) => load.replicaBusy,
    remedy:
      "Use a longer lease. Then let one isolate per location ask for all others. Then use one database per project.",
  },
];

/** The largest number of SDK instances that the search tries. */
const MAX_INSTANCES = 1e9;

/**
 * Returns the smallest number of SDK instances that reaches a limit, found by bisection; Infinity if
 * `MAX_INSTANCES` does not reach it.
 */
function metAt(limit: Limit, options: Options): number {
  const isMet = (instances: number) => limit.use(loadOf({ ...options, instances })) >= limit.limit;
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
export const limitsOf = (options: Options) =>
  LIMITS.map((limit) => ({ limit, instances: metAt(limit, options) })).toSorted(
    (one, other) => one.instances - other.instances,
  );
