import { LRUCache } from "lru-cache";
import { trackInProgress } from "../core/metrics/instruments.ts";
import { TimeoutError, raceTimeout } from "../core/lib/timeout.ts";
import { buildRules } from "./build.ts";
import { DATABASE_BOUND_MS, type Lease, STORE_BOUND_MS } from "./leases.ts";
import type { EdgeMeters } from "./meters.ts";
import { type Patience, REST_MS, RestingError } from "./patience.ts";
import type { ClientPorts } from "./ports.ts";
import type { KeyRow } from "./queries.ts";
import type { RuleCache } from "./rule-cache.ts";
import { RuleSet } from "./rule-set.ts";

/** A build of 5,000 flags takes some 100 ms. */
export const BUILD_BOUND_MS = DATABASE_BOUND_MS;

/** After this long somebody else tries. */
const LOAD_BOUND_MS = STORE_BOUND_MS + BUILD_BOUND_MS;
const WAIT_MS = 5;

/**
 * While the database does not answer here, others may write: the store is asked as often as the
 * database is. It may itself be 30 s behind (`cacheTtl`), which leaves nothing to wait for.
 */
export const LOOK_MS = 1_000;

/**
 * The writer publishes: an isolate that builds the rules leaves the store alone, which takes one write
 * a second for a key. Longer after the change than the writer tries and KV's cache hides it, who does
 * not find the rules there puts them, because the publish was lost.
 */
export const REPAIR_AFTER_MS = 45_000;

/** Environments whose rules could not be had. */
const MAX_RESTING = 1_000;

export interface LoadedRules {
  readonly set: RuleSet;
  /** The database could not be asked for anything newer. */
  readonly stale: boolean;
}

type LeaseState = Pick<Lease, "stale" | "bookmark">;

/** Brings the rules of an environment into memory (design.md, A read at the edge). */
export class RuleLoader {
  readonly #cache: RuleCache;
  readonly #store: Patience;
  readonly #meters: EdgeMeters;
  /** Until when a load by another request is waited for. */
  readonly #loading = new Map<number, number>();
  /** Until when nobody tries again what has just failed. */
  readonly #resting = new LRUCache<number, number>({ max: MAX_RESTING });

  constructor(cache: RuleCache, store: Patience, meters: EdgeMeters) {
    this.#cache = cache;
    this.#store = store;
    this.#meters = meters;
  }

  /** The set in memory, if it is new enough for the lease. */
  current(ports: ClientPorts, key: KeyRow, { stale }: LeaseState): RuleSet | undefined {
    const set = this.#cache.current(key);
    return set && !(stale && ports.now() - set.lookedAt >= LOOK_MS) ? set : undefined;
  }

  /** Memory, then the edge's store, then the database. Errors: when none of them has the rules. */
  async load(ports: ClientPorts, key: KeyRow, lease: LeaseState): Promise<LoadedRules> {
    const { environmentId } = key;
    const isDone = await this.#othersLoad(ports, key);
    const held = this.#cache.held(environmentId);
    if (isDone && held) return { set: held, stale: lease.stale };
    if (ports.now() < (this.#resting.get(environmentId) ?? 0)) {
      if (held) return { set: held, stale: true };
      throw new RestingError("the rules could not be had a moment ago");
    }
    this.#loading.set(environmentId, ports.now() + LOAD_BOUND_MS);
    try {
      return await this.#fetch(ports, key, lease);
    } finally {
      this.#loading.delete(environmentId);
    }
  }

  /** The database works: what failed may be tried again. */
  retry(environmentIds: ReadonlySet<number>): void {
    for (const id of environmentIds) this.#resting.delete(id);
  }

  /** Waits while another request loads: no promise is shared between requests (design.md, 12). */
  async #othersLoad(ports: ClientPorts, key: KeyRow): Promise<boolean> {
    const isLoading = () => (this.#loading.get(key.environmentId) ?? 0) > ports.now();
    if (!isLoading()) return false;
    return trackInProgress(this.#meters.pending, async () => {
      while (isLoading()) {
        // The older rules, for the moments that it takes, are better than a queue.
        if (this.#cache.held(key.environmentId)) return true;
        await ports.wait(WAIT_MS);
      }
      return this.#cache.current(key) !== undefined;
    });
  }

  async #fetch(ports: ClientPorts, key: KeyRow, lease: LeaseState): Promise<LoadedRules> {
    const { environmentId, revision } = key;
    const newest = await this.#newest(ports, environmentId);
    if (newest && (lease.stale || newest.snapshot.revision >= revision))
      return { set: newest, stale: lease.stale };
    try {
      if (lease.stale) throw new Error("neither memory nor the store has the rules");
      return { set: await this.#buildInTime(ports, key, lease), stale: false };
    } catch (error) {
      ports.fault("rule build", error);
      this.#resting.set(environmentId, ports.now() + REST_MS);
      if (newest) return { set: newest, stale: true };
      throw error;
    }
  }

  /** What memory and the store have. */
  async #newest(ports: ClientPorts, environmentId: number): Promise<RuleSet | undefined> {
    const held = this.#cache.held(environmentId);
    if (held) held.lookedAt = ports.now();
    try {
      const stored = await this.#store.ask(ports, () => ports.store.snapshot(environmentId));
      if (!stored || stored.revision <= (held?.snapshot.revision ?? 0)) return held;
      const set = new RuleSet(stored);
      set.lookedAt = ports.now();
      return this.#cache.keep(set);
    } catch (error) {
      if (!(error instanceof RestingError)) ports.fault("rule store", error);
      return held;
    }
  }

  async #buildInTime(ports: ClientPorts, key: KeyRow, lease: LeaseState): Promise<RuleSet> {
    const building = this.#build(ports, key, lease);
    try {
      return await raceTimeout((ms) => ports.wait(ms), BUILD_BOUND_MS, building);
    } catch (error) {
      // A large environment on a slow day: it goes on, and the next request finds it in memory.
      if (error instanceof TimeoutError) ports.later(building);
      throw error;
    }
  }

  async #build(ports: ClientPorts, key: KeyRow, { bookmark }: LeaseState): Promise<RuleSet> {
    const { environmentId, revision } = key;
    const session = ports.openSession(bookmark ?? "first-unconstrained");
    const now = () => ports.now();
    const snapshot = await buildRules(this.#meters.builds, now, session, environmentId);
    if (!snapshot || snapshot.revision < revision)
      throw new Error("the database does not know what it has said of the key");
    if (now() - snapshot.changedAt >= REPAIR_AFTER_MS)
      ports.later(ports.store.putSnapshot(snapshot));
    return this.#cache.keep(new RuleSet(snapshot));
  }
}
