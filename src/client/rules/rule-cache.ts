import type { Form } from "@feature-flags/unleash";
import { LRUCache } from "lru-cache";
import { MetricsRegistry } from "../../core/metrics/registry.ts";
import { type EdgeMetrics, edgeMetrics } from "../sources/edge-metrics.ts";
import type { KeyRow } from "../sources/queries.ts";
import type { Mapping } from "./documents.ts";
import { type KnownFlags, RuleSet } from "./rule-set.ts";

/** The most memory that the rules of an isolate may take: a quarter of its 128 MB. */
export const MAX_CACHE_BYTES = 32 * 1024 * 1024;

/**
 * A cache of the rule sets of one isolate, by environment. Its size in bytes is limited, so it
 * evicts the least recently used sets.
 */
export class RuleCache {
  readonly #sets: LRUCache<number, RuleSet>;
  readonly #metrics: EdgeMetrics;

  constructor(
    maxBytes: number = MAX_CACHE_BYTES,
    metrics: EdgeMetrics = edgeMetrics(new MetricsRegistry()),
  ) {
    this.#metrics = metrics;
    // Counts a rule set that is larger than the cache as exactly as large as the cache. So the
    // cache keeps this set and evicts all others.
    const sizeCalculation = (set: RuleSet) => Math.min(set.size, maxBytes);
    this.#sets = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation,
      dispose: (_set, _environmentId, reason) => {
        if (reason === "evict") metrics.rules.evictions.add();
      },
    });
  }

  /** The estimated memory that the cached rule sets take, bytes. */
  get bytes(): number {
    return this.#sets.calculatedSize;
  }

  /**
   * Returns the rule set of the key's environment; undefined when the set is missing or older than
   * `key.revision`.
   */
  heldRules(key: KeyRow): RuleSet | undefined {
    const set = this.#sets.get(key.environmentId);
    return set && set.snapshot.revision >= key.revision ? set : undefined;
  }

  /** Returns the rule set of the environment, whatever its revision. */
  held(environmentId: number): RuleSet | undefined {
    return this.#sets.get(environmentId);
  }

  /**
   * Puts the rule set in the cache, unless the cache has a set of the same or a newer revision.
   * Returns the cached set if it is newer, otherwise the given set.
   */
  keep(set: RuleSet): RuleSet {
    const { environmentId, revision } = set.snapshot;
    const held = this.#sets.get(environmentId);
    // Keeps the newer rules, because a slow build may end with an older revision.
    if (held && held.snapshot.revision > revision) return held;
    if (held?.snapshot.revision !== revision) {
      this.#sets.set(environmentId, set);
      this.#metrics.rules.puts.add();
    }
    return set;
  }

  /** Returns the compiled rules of a rule set. Compiles them at the first call. */
  compiled(set: RuleSet) {
    if (set.isCompiled) return set.compiled;
    const rules = set.compiled;
    this.#remeasure(set);
    return rules;
  }

  /** Returns the flags of a rule set. Reads them from its JSON at the first call. */
  flags(set: RuleSet): KnownFlags {
    if (set.hasFlags) return set.flags;
    const { flags } = set;
    this.#remeasure(set);
    return flags;
  }

  /** Makes a document for Unleash SDKs of a rule set, which keeps it. */
  makeUnleash(set: RuleSet, form: Form, mapping: Mapping): void {
    set.unleash.make(form, { rules: () => set.rules(), mapping });
    this.#remeasure(set);
  }

  /**
   * Measures a rule set again, because compiled rules, flag keys and documents make it larger. The
   * cache may then evict other sets.
   */
  #remeasure(set: RuleSet): void {
    const { environmentId } = set.snapshot;
    if (this.#sets.peek(environmentId) !== set) return;
    // Deletes the rule set first, because `set` with the same object would keep the old size.
    this.#sets.delete(environmentId);
    this.#sets.set(environmentId, set);
  }
}
