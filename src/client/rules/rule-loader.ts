import { Lru } from "../../core/lib/lru.ts";
import { TimeoutError, raceTimeout } from "../../core/lib/timeout.ts";
import {
  trackInProgress,
  recordWork,
  type WorkInstruments,
} from "../../core/metrics/instruments.ts";
import { buildSnapshot, type Snapshot } from "../../core/rules/snapshot.ts";
import type { SqlClient } from "../../db/database.ts";
import { type CircuitBreaker, CircuitOpenError, OPEN_MS } from "../sources/circuit-breaker.ts";
import type { EdgeMetrics } from "../sources/edge-metrics.ts";
import { DATABASE_TIMEOUT_MS, type Lease, STORE_TIMEOUT_MS } from "../keys/leases.ts";
import type { ClientPorts } from "../sources/ports.ts";
import { type KeyRow, readEnvironmentRules } from "../sources/queries.ts";
import type { RuleCache } from "./rule-cache.ts";
import { RuleSet } from "./rule-set.ts";

/** The timeout of a build of the rules, milliseconds. A build of 5,000 flags takes about 100 ms. */
export const BUILD_TIMEOUT_MS = DATABASE_TIMEOUT_MS;

/**
 * How long requests wait for another request to load the rules, milliseconds. After that, one of
 * the waiting requests loads the same rules, too.
 */
const LOAD_TIMEOUT_MS = STORE_TIMEOUT_MS + BUILD_TIMEOUT_MS;
/** How often a waiting request checks whether the rules are loaded, milliseconds. */
const POLL_MS = 5;

/**
 * After this time an isolate reads KV for newer rules again while the database is unavailable,
 * milliseconds. Another location may have published newer rules. A location caches what it read
 * from KV for 30 s (`cacheTtl`).
 */
export const LOOK_MS = 1_000;

/**
 * How long after a change only the writer publishes the rules to KV, milliseconds: the writer retries for 6
 * s, and KV caches for 30 s. If an isolate must build the rules from the database after this time, the
 * writer's publish was lost, and the isolate writes them to KV. KV takes one write a second for a key.
 */
export const REPAIR_AFTER_MS = 45_000;

/** The most environments for which an isolate remembers a failed load of the rules. */
const MAX_FAILED = 1_000;

/** The rules of an environment to respond with. */
export interface LoadedRules {
  readonly set: RuleSet;
  /** Whether the database was unavailable or the load failed, so that newer rules may exist. */
  readonly stale: boolean;
}

type LeaseState = Pick<Lease, "stale" | "bookmark">;

/** Loads the rules of an environment into memory (docs/build/architecture.md). */
export class RuleLoader {
  readonly #cache: RuleCache;
  readonly #store: CircuitBreaker;
  readonly #metrics: EdgeMetrics;
  /**
   * For each environment whose rules a request is loading: until when other requests wait for the
   * load, epoch milliseconds.
   */
  readonly #loading = new Map<number, { readonly until: number }>();
  /** For each environment: until when a failed load of the rules is not repeated, epoch milliseconds. */
  readonly #failedUntil = new Lru<number, number>(MAX_FAILED);

  constructor(cache: RuleCache, store: CircuitBreaker, metrics: EdgeMetrics) {
    this.#cache = cache;
    this.#store = store;
    this.#metrics = metrics;
  }

  /**
   * Returns the rule set in memory if it is new enough for the key. If the key lease is stale, the
   * isolate must also have checked KV for newer rules less than `LOOK_MS` ago.
   */
  usableRules(ports: ClientPorts, key: KeyRow, { stale }: LeaseState): RuleSet | undefined {
    const set = this.#cache.heldRules(key);
    return set && !(stale && ports.now() - set.lookedAt >= LOOK_MS) ? set : undefined;
  }

  /**
   * Loads the rules: takes the newer rules of memory and KV, or builds the rules from the database
   * if both are older than the key's revision. Returns older rules while another request loads, and
   * when the build fails. Throws: an error when there are no older rules.
   */
  async load(ports: ClientPorts, key: KeyRow, lease: LeaseState): Promise<LoadedRules> {
    const { environmentId } = key;
    const isDone = await this.#othersLoad(ports, key);
    const held = this.#cache.held(environmentId);
    if (isDone && held) return { set: held, stale: lease.stale };
    if (ports.now() < (this.#failedUntil.get(environmentId) ?? 0)) {
      if (held) return { set: held, stale: true };
      throw new CircuitOpenError("the last load of the rules failed a moment ago");
    }
    const load = { until: ports.now() + LOAD_TIMEOUT_MS };
    this.#loading.set(environmentId, load);
    try {
      return await this.#fetch(ports, key, lease);
    } finally {
      if (this.#loading.get(environmentId) === load) this.#loading.delete(environmentId);
    }
  }

  /**
   * Returns the newer of the rules in memory and the rules in KV. When KV fails, returns the rules
   * in memory. Undefined when there are no rules.
   */
  async look(ports: ClientPorts, environmentId: number): Promise<RuleSet | undefined> {
    const held = this.#cache.held(environmentId);
    if (held) held.lookedAt = ports.now();
    try {
      const stored = await this.#store.call(ports, () => ports.store.snapshot(environmentId));
      if (!stored || stored.revision <= (held?.snapshot.revision ?? 0)) return held;
      const set = new RuleSet(stored);
      set.lookedAt = ports.now();
      return this.#cache.keep(set);
    } catch (error) {
      if (!(error instanceof CircuitOpenError)) ports.fault("rule store", error);
      return held;
    }
  }

  /**
   * Call this after a write by this isolate. The next request for these environments loads the
   * rules: it waits for no load that began before the write, because that load may return the old
   * rules. Failed loads may be repeated at once.
   */
  expire(environmentIds: ReadonlySet<number>): void {
    for (const id of environmentIds) {
      this.#loading.delete(id);
      this.#failedUntil.delete(id);
    }
  }

  /**
   * Waits while another request loads the rules, but not when memory has older rules. Returns false when the
   * caller must load the rules itself. Polls, because the runtime forbids sharing a promise between requests.
   */
  async #othersLoad(ports: ClientPorts, key: KeyRow): Promise<boolean> {
    const isLoading = () => (this.#loading.get(key.environmentId)?.until ?? 0) > ports.now();
    if (!isLoading()) return false;
    return trackInProgress(this.#metrics.pending, async () => {
      while (isLoading()) {
        // Uses the older rules while the load runs, so that requests do not wait.
        if (this.#cache.held(key.environmentId)) return true;
        await ports.wait(POLL_MS);
      }
      return this.#cache.heldRules(key) !== undefined;
    });
  }

  async #fetch(ports: ClientPorts, key: KeyRow, lease: LeaseState): Promise<LoadedRules> {
    const { environmentId, revision } = key;
    const newest = await this.look(ports, environmentId);
    if (newest && (lease.stale || newest.snapshot.revision >= revision))
      return { set: newest, stale: lease.stale };
    try {
      if (lease.stale)
        throw new Error("the database is unavailable, and neither memory nor KV has the rules");
      return { set: await this.#buildInTime(ports, key, lease), stale: false };
    } catch (error) {
      ports.fault("rule build", error);
      this.#failedUntil.set(environmentId, ports.now() + OPEN_MS);
      if (newest) return { set: newest, stale: true };
      throw error;
    }
  }

  async #buildInTime(ports: ClientPorts, key: KeyRow, lease: LeaseState): Promise<RuleSet> {
    const building = this.#build(ports, key, lease);
    try {
      return await raceTimeout((ms) => ports.wait(ms), BUILD_TIMEOUT_MS, building);
    } catch (error) {
      // Lets a build that exceeds the timeout continue after the response, so that a later request
      // finds the rules in memory.
      if (error instanceof TimeoutError) ports.later(building);
      throw error;
    }
  }

  async #build(ports: ClientPorts, key: KeyRow, { bookmark }: LeaseState): Promise<RuleSet> {
    const { environmentId, revision } = key;
    const session = ports.openSession(bookmark ?? "first-unconstrained");
    const now = () => ports.now();
    const snapshot = await buildRules(this.#metrics.builds, now, session, environmentId);
    if (!snapshot || snapshot.revision < revision)
      throw new Error(
        "the database returned no rules, or an older revision than the key check has read",
      );
    if (now() - snapshot.changedAt >= REPAIR_AFTER_MS)
      ports.later(ports.store.putSnapshot(snapshot));
    return this.#cache.keep(new RuleSet(snapshot));
  }
}

/**
 * Builds the snapshot of an environment from the database, and records the outcome and the duration
 * in `meter`. `now` returns epoch milliseconds. Returns undefined when the environment does not
 * exist. Throws: the database's errors, and an error for invalid rows.
 */
export const buildRules = (
  meter: WorkInstruments,
  now: () => number,
  session: SqlClient,
  environmentId: number,
): Promise<Snapshot | undefined> =>
  recordWork(meter, now, async () => {
    const rules = await readEnvironmentRules(session, environmentId, now());
    return rules && buildSnapshot(rules);
  });
