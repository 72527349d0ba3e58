import { LRUCache } from "lru-cache";
import { sha256 } from "../core/lib/digest.ts";
import { trackInProgress } from "../core/metrics/instruments.ts";
import { MetricsRegistry } from "../core/metrics/registry.ts";
import { CircuitBreaker, CircuitOpenError } from "./circuit-breaker.ts";
import { type EdgeMetrics, edgeMetrics } from "./edge-metrics.ts";
import type { ClientPorts } from "./ports.ts";
import { findKey, type KeyRow } from "./queries.ts";

/**
 * At this age, in milliseconds, one request renews a key lease. Until `MAX_LEASE_MS`, other
 * requests use the lease meanwhile.
 */
export const LEASE_MS = 1_000;

/**
 * At this age, in milliseconds, a key lease is no longer used, unless it cannot be renewed because
 * the database is unavailable.
 */
export const MAX_LEASE_MS = 2_000;

/**
 * The timeout of a key check and of a build of the rules, milliseconds. A slower database counts as
 * unavailable.
 */
export const DATABASE_TIMEOUT_MS = 1_500;

/**
 * The timeout of a read from KV, milliseconds. A read that misses KV's local cache takes about 100
 * ms.
 */
export const STORE_TIMEOUT_MS = 1_000;

/**
 * How often a waiting request checks whether another request has renewed the lease, milliseconds.
 */
const POLL_MS = 5;

/** The most key leases in memory. A lease takes about 300 bytes. */
const MAX_LEASES = 10_000;

/** The result of a key check. */
interface CheckedKey {
  /** undefined: the API key does not exist. */
  readonly key: KeyRow | undefined;
  /**
   * The D1 bookmark of the key check. A D1 session opened with this bookmark sees at least the
   * revision in `key`.
   */
  readonly bookmark: string | undefined;
}

/** A key lease: what the isolate knows about one API key. */
export interface Lease extends CheckedKey {
  /** The SHA-256 hash of the API key, base64url. */
  readonly hash: string;
  key: KeyRow | undefined;
  /**
   * When the last check of the API key began, or failed, epoch milliseconds; 0: the lease is due
   * for renewal.
   */
  askedAt: number;
  /** Whether the database was unavailable at the check, so that the lease may be out of date. */
  stale: boolean;
}

/** The key leases of one isolate (docs/architecture.md). */
export class Leases {
  readonly #byToken: LRUCache<string, Lease>;
  /**
   * By API key: until when other requests wait for the request that renews the lease, epoch
   * milliseconds.
   */
  readonly #renewing = new Map<string, number>();
  readonly #database = new CircuitBreaker(DATABASE_TIMEOUT_MS);
  readonly #store: CircuitBreaker;
  readonly #metrics: EdgeMetrics;
  #hasStale = false;

  constructor(
    metrics: EdgeMetrics = edgeMetrics(new MetricsRegistry()),
    store = new CircuitBreaker(STORE_TIMEOUT_MS),
  ) {
    this.#metrics = metrics;
    this.#store = store;
    this.#byToken = new LRUCache({
      max: MAX_LEASES,
      dispose: (_lease, _token, reason) => {
        if (reason !== "set") metrics.keys.evictions.add();
      },
    });
  }

  /**
   * Returns the lease of an API key if it is in memory and young enough. Otherwise call `renew`.
   */
  current(token: string, now: number): Lease | undefined {
    const lease = this.#byToken.get(token);
    if (!lease) return undefined;
    const age = now - lease.askedAt;
    if (age < LEASE_MS) return lease;
    return age < MAX_LEASE_MS && this.#isRenewing(token, now) ? lease : undefined;
  }

  /**
   * Whether the isolate has a lease of the API key, of any age. An invalid key has a lease, too.
   */
  knows(token: string): boolean {
    return this.#byToken.has(token);
  }

  /**
   * Checks the API key in the database, or waits while another request does. While the database is
   * unavailable, returns what memory or KV knows about the key. Throws: the database's error when
   * neither knows the key.
   */
  async renew(ports: ClientPorts, token: string): Promise<Lease> {
    while (this.#isRenewing(token, ports.now())) {
      const lease = await trackInProgress(this.#metrics.pending, () =>
        this.#othersRenew(ports, token),
      );
      if (lease) return lease;
    }
    // Other requests wait for at most the timeouts of the check and of the read from KV. After that
    // another request checks the key, too.
    this.#renewing.set(token, ports.now() + DATABASE_TIMEOUT_MS + STORE_TIMEOUT_MS);
    try {
      return await this.#check(ports, token);
    } finally {
      this.#renewing.delete(token);
    }
  }

  /**
   * Waits while another request renews the lease, and returns the renewed lease; undefined: the
   * renewal failed or took too long. Polls, because the runtime forbids sharing a promise between
   * requests.
   */
  async #othersRenew(ports: ClientPorts, token: string): Promise<Lease | undefined> {
    while (this.#isRenewing(token, ports.now())) {
      await ports.wait(POLL_MS);
      const lease = this.current(token, ports.now());
      if (lease) return lease;
    }
    return undefined;
  }

  #isRenewing(token: string, now: number): boolean {
    return (this.#renewing.get(token) ?? 0) > now;
  }

  async #check(ports: ClientPorts, token: string): Promise<Lease> {
    const known = this.#byToken.get(token);
    const hash = await sha256(token);
    // The time is taken before the query, so that a slow query does not make the lease last longer.
    const asked = ports.now();
    let lease: Lease;
    try {
      const found = await this.#database.call(ports, () => checkKey(ports, hash));
      lease = { hash, ...found, askedAt: asked, stale: false };
      if (!found.key) ports.later(ports.reportRefused(hash));
      this.#endOutage();
    } catch (error) {
      if (!(error instanceof CircuitOpenError)) ports.fault("key check", error);
      // Memory comes before KV, because KV may still have a key that memory knows to be deleted.
      const key = known ? known.key : await this.#fromStore(ports, hash);
      if (!known && !key) throw error;
      // The fallback counts as a new lease, so that an outage does not turn every request into a
      // query.
      lease = { hash, key, bookmark: known?.bookmark, askedAt: ports.now(), stale: true };
      this.#hasStale = true;
    }
    this.#byToken.set(token, lease);
    this.#metrics.keys.puts.add();
    return lease;
  }

  /** Makes all stale leases due for renewal, because the database works again. */
  #endOutage(): void {
    if (!this.#hasStale) return;
    this.#hasStale = false;
    for (const lease of this.#byToken.values()) if (lease.stale) lease.askedAt = 0;
  }

  /**
   * Makes the leases of these environments due for renewal, and closes the circuit breaker of the
   * database. Called after a write by this isolate.
   */
  expire(environmentIds: ReadonlySet<number>): void {
    for (const lease of this.#byToken.values())
      if (lease.key && environmentIds.has(lease.key.environmentId)) lease.askedAt = 0;
    this.#database.close();
    this.#endOutage();
  }

  /**
   * Removes a deleted API key from the lease with this hash, and makes the lease due for renewal,
   * so that the next request with the key checks the database. The leases of other isolates expire.
   */
  forget(hash: string): void {
    for (const lease of this.#byToken.values())
      if (lease.hash === hash) Object.assign(lease, { key: undefined, askedAt: 0 });
  }

  /** Reads an API key from KV; undefined when KV does not have the key or fails. */
  async #fromStore(ports: ClientPorts, hash: string): Promise<KeyRow | undefined> {
    try {
      const key = await this.#store.call(ports, () => ports.store.key(hash));
      return key && { ...key, revision: 0 };
    } catch (error) {
      if (!(error instanceof CircuitOpenError)) ports.fault("key store", error);
      return undefined;
    }
  }
}

/** Looks an API key up in the database by its hash. Throws: the database's errors. */
async function checkKey(ports: ClientPorts, hash: string): Promise<CheckedKey> {
  const replica = ports.openSession("first-unconstrained");
  const found = await findKey(replica, hash);
  if (found) return { key: found, bookmark: replica.getBookmark() ?? undefined };
  // A replica may not have a new key yet, so only the primary can say that a key does not exist.
  const primary = ports.openSession("first-primary");
  const key = (await findKey(primary, hash)) ?? undefined;
  return { key, bookmark: primary.getBookmark() ?? undefined };
}
