import { LRUCache } from "lru-cache";
import { MetricsRegistry } from "../core/metrics/registry.ts";
import { type EdgeMetrics, edgeMetrics } from "./edge-metrics.ts";
import type { KeyRow } from "./queries.ts";
import { RuleSet } from "./rule-set.ts";

/** The most memory that the rules may take: a quarter of the 128 MB that an isolate has. */
export const MAX_CACHE_BYTES = 32 * 1024 * 1024;

/**
 * The rule sets of one isolate, by environment. Its size in bytes is limited; it evicts the least
 * recently used set.
 */
export class RuleCache {
  readonly #sets: LRUCache<number, RuleSet>;
  readonly #metrics: EdgeMetrics;

  constructor(
    maxBytes: number = MAX_CACHE_BYTES,
    metrics: EdgeMetrics = edgeMetrics(new MetricsRegistry()),
  ) {
    this.#metrics = metrics;
    // A set that is larger than the whole cache counts as the size of the cache. So the cache keeps
    // it, alone.
    const sizeCalculation = (set: RuleSet) => Math.min(set.size, maxBytes);
    this.#sets = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation,
      dispose: (_set, _environmentId, reason) => {
        if (reason === "evict") metrics.rules.evictions.add();
      },
    });
  }

  get bytes(): number {
    return this.#sets.calculatedSize;
  }

  /** Returns the rule set in memory if it has the key's revision or a newer one. */
  current(key: KeyRow): RuleSet | undefined {
    const set = this.#sets.get(key.environmentId);
    return set && set.snapshot.revision >= key.revision ? set : undefined;
  }

  /** Returns the rule set in memory, whatever its revision. */
  held(environmentId: number): RuleSet | undefined {
    return this.#sets.get(environmentId);
  }

  /**
   * Puts the rule set in the cache and returns it. If the cache has a newer one, returns that
   * instead.
   */
  keep(set: RuleSet): RuleSet {
    const { environmentId, revision } = set.snapshot;
    const held = this.#sets.get(environmentId);
    // A slow build of the rules must not replace a newer revision.
    if (held && held.snapshot.revision > revision) return held;
    if (held?.snapshot.revision !== revision) {
      this.#sets.set(environmentId, set);
      this.#metrics.rules.puts.add();
    }
    return set;
  }

  compiled(set: RuleSet) {
    if (set.isCompiled) return set.compiled;
    const rules = set.compiled;
    this.#remeasure(set);
    return rules;
  }

  keys(set: RuleSet) {
    if (set.hasKeys) return set.keys;
    const { keys } = set;
    this.#remeasure(set);
    return keys;
  }

  /**
   * Compiling makes a rule set several times as large, so the cache measures it again and may evict
   * others.
   */
  #remeasure(set: RuleSet): void {
    const { environmentId } = set.snapshot;
    if (this.#sets.peek(environmentId) !== set) return;
    // The cache would keep the old size if the same object were set without deleting it first.
    this.#sets.delete(environmentId);
    this.#sets.set(environmentId, set);
  }
}
