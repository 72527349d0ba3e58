import { LRUCache } from "lru-cache";
import { MetricsRegistry } from "../core/metrics/registry.ts";
import { type EdgeMetrics, edgeMetrics } from "./edge-metrics.ts";
import type { KeyRow } from "./queries.ts";
import { RuleSet } from "./rule-set.ts";

/** A quarter of the 128 MB that an isolate has. */
export const MAX_CACHE_BYTES = 32 * 1024 * 1024;

/** The rule sets of one isolate by environment: bounded in bytes, evicts the least recently used. */
export class RuleCache {
  readonly #sets: LRUCache<number, RuleSet>;
  readonly #metrics: EdgeMetrics;

  constructor(
    maxBytes: number = MAX_CACHE_BYTES,
    metrics: EdgeMetrics = edgeMetrics(new MetricsRegistry()),
  ) {
    this.#metrics = metrics;
    // A set that is larger than the cache counts as the whole cache, so that it is kept, alone.
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

  /** The set in memory if it is at the key's revision or newer. */
  current(key: KeyRow): RuleSet | undefined {
    const set = this.#sets.get(key.environmentId);
    return set && set.snapshot.revision >= key.revision ? set : undefined;
  }

  /** The set in memory, at any revision. */
  held(environmentId: number): RuleSet | undefined {
    return this.#sets.get(environmentId);
  }

  /** Keeps the set and returns it; returns the set in memory instead if that is newer. */
  keep(set: RuleSet): RuleSet {
    const { environmentId, revision } = set.snapshot;
    const held = this.#sets.get(environmentId);
    // A slow build must not replace a newer revision.
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

  /** Compiling makes a set several times as large, so the cache measures it again and may evict. */
  #remeasure(set: RuleSet): void {
    const { environmentId } = set.snapshot;
    if (this.#sets.peek(environmentId) !== set) return;
    // Setting the same object without deleting it would keep the old size.
    this.#sets.delete(environmentId);
    this.#sets.set(environmentId, set);
  }
}
