import { LRUCache } from "lru-cache";
import { MetricsRegistry } from "../core/metrics/registry.ts";
import { type EdgeMeters, edgeMeters } from "./meters.ts";
import type { KeyRow } from "./queries.ts";
import { RuleSet } from "./rule-set.ts";

/** A quarter of the 128 MB that an isolate has. */
export const MAX_CACHE_BYTES = 32 * 1024 * 1024;

/** The rule sets of one isolate, by environment: bounded by bytes, the least recently used goes. */
export class RuleCache {
  readonly #sets: LRUCache<number, RuleSet>;
  readonly #meters: EdgeMeters;

  constructor(
    maxBytes: number = MAX_CACHE_BYTES,
    meters: EdgeMeters = edgeMeters(new MetricsRegistry()),
  ) {
    this.#meters = meters;
    // A set that is larger than the whole cache stands in it alone, rather than being refused.
    const sizeCalculation = (set: RuleSet) => Math.min(set.size, maxBytes);
    this.#sets = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation,
      dispose: (_set, _environmentId, reason) => {
        if (reason === "evict") meters.rules.evictions.add();
      },
    });
  }

  get bytes(): number {
    return this.#sets.calculatedSize;
  }

  /** The set in memory when it is at the key's revision or newer. */
  current(key: KeyRow): RuleSet | undefined {
    const set = this.#sets.get(key.environmentId);
    return set && set.snapshot.revision >= key.revision ? set : undefined;
  }

  /** The set in memory, however old. */
  held(environmentId: number): RuleSet | undefined {
    return this.#sets.get(environmentId);
  }

  /** Keeps a set, and answers it, unless there is a newer one. */
  keep(set: RuleSet): RuleSet {
    const { environmentId, revision } = set.snapshot;
    const held = this.#sets.get(environmentId);
    // A slower build must not put an older revision back.
    if (held && held.snapshot.revision > revision) return held;
    if (held?.snapshot.revision !== revision) {
      this.#sets.set(environmentId, set);
      this.#meters.rules.puts.add();
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

  /** Compiling makes a set several times as large: tell the cache, which may evict others. */
  #remeasure(set: RuleSet): void {
    const { environmentId } = set.snapshot;
    if (this.#sets.peek(environmentId) !== set) return;
    // Setting the same object again would keep the size that it had.
    this.#sets.delete(environmentId);
    this.#sets.set(environmentId, set);
  }
}
