import { LRUCache } from "lru-cache";
import { ApiError } from "../core/errors.ts";
import { buildSnapshot } from "../core/ruleset.ts";
import type { Lease } from "./leases.ts";
import type { ClientPorts } from "./ports.ts";
import { type KeyRow, readEnvironmentRules } from "./queries.ts";
import { RuleSet } from "./rule-set.ts";

/** A quarter of the 128 MB that an isolate has. */
export const MAX_CACHE_BYTES = 32 * 1024 * 1024;

/** A build of 5,000 flags takes some 100 ms; after this long somebody else tries. */
const BUILD_BOUND_MS = 1_000;
const WAIT_MS = 5;

type LeaseState = Pick<Lease, "stale" | "bookmark">;

export interface Served {
  readonly set: RuleSet;
  /** The database could not be asked for anything newer. */
  readonly stale: boolean;
}

/** The rule sets of one isolate, by environment: bounded by bytes, the least recently used goes. */
export class RuleCache {
  readonly #sets: LRUCache<number, RuleSet>;
  /** Until when a build by another request is waited for. */
  readonly #building = new Map<number, number>();

  constructor(maxBytes: number = MAX_CACHE_BYTES) {
    // A set that is larger than the whole cache stands in it alone, rather than being refused.
    const sizeCalculation = (set: RuleSet) => Math.min(set.size, maxBytes);
    this.#sets = new LRUCache({ maxSize: maxBytes, sizeCalculation });
  }

  get bytes(): number {
    return this.#sets.calculatedSize;
  }

  /** The set in memory when it is at the key's revision or newer. */
  current(key: KeyRow): RuleSet | undefined {
    const set = this.#sets.get(key.environmentId);
    return set && set.snapshot.revision >= key.revision ? set : undefined;
  }

  /** Compiling makes a set several times as large: tell the cache, which may evict others. */
  compiled(set: RuleSet) {
    if (set.isCompiled) return set.compiled;
    const rules = set.compiled;
    const { environmentId } = set.snapshot;
    if (this.#sets.peek(environmentId) === set) {
      // Setting the same object again would keep the size that it had.
      this.#sets.delete(environmentId);
      this.#sets.set(environmentId, set);
    }
    return rules;
  }

  /**
   * Memory, then the edge's store, then the database (design.md, A read at the edge).
   * Errors: 401 when the environment is gone, 503 when neither database nor store answers.
   */
  async load(ports: ClientPorts, key: KeyRow, lease: LeaseState): Promise<Served> {
    const { environmentId } = key;
    if (await this.#othersBuild(ports, key)) {
      const set = this.#sets.get(environmentId);
      if (set) return { set, stale: lease.stale };
    }
    this.#building.set(environmentId, ports.now() + BUILD_BOUND_MS);
    try {
      return await this.#fetch(ports, key, lease);
    } finally {
      this.#building.delete(environmentId);
    }
  }

  /** Waits while another request builds: no promise is shared between requests (design.md, 12). */
  async #othersBuild(ports: ClientPorts, key: KeyRow): Promise<boolean> {
    let waited = false;
    while ((this.#building.get(key.environmentId) ?? 0) > ports.now()) {
      waited = true;
      // The older rules, for the moments that the build takes, are better than a queue.
      if (this.#sets.has(key.environmentId)) return true;
      await ports.wait(WAIT_MS);
    }
    return waited && this.current(key) !== undefined;
  }

  async #fetch(ports: ClientPorts, key: KeyRow, lease: LeaseState): Promise<Served> {
    const { environmentId, revision } = key;
    const held = this.#sets.get(environmentId);
    const stored = await ports.store.snapshot(environmentId).catch((error: unknown) => {
      ports.fault("rule store", error);
    });
    const newest =
      stored && stored.revision > (held?.snapshot.revision ?? -1) ? new RuleSet(stored) : held;
    if (newest && (lease.stale || newest.snapshot.revision >= revision))
      return this.#keep(newest, lease.stale);
    try {
      const now = ports.now();
      const session = ports.openSession(lease.bookmark ?? "first-unconstrained");
      const rules = await readEnvironmentRules(session, environmentId, now);
      if (!rules) throw new ApiError("UNAUTHORIZED", "The key's environment is gone");
      const snapshot = buildSnapshot(rules);
      ports.later(ports.store.putSnapshot(snapshot));
      return this.#keep(new RuleSet(snapshot), false);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      ports.fault("rule build", error);
      if (newest) return this.#keep(newest, true);
      throw error;
    }
  }

  #keep(set: RuleSet, stale: boolean): Served {
    const { environmentId, revision } = set.snapshot;
    const held = this.#sets.get(environmentId);
    // A slower build must not put an older revision back.
    if (!held || held.snapshot.revision < revision) this.#sets.set(environmentId, set);
    return { set, stale };
  }
}
