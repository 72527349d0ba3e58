import { Lru } from "../../core/lib/lru.ts";
import { tooManyRequests } from "../../core/errors/api-error.ts";
import { sha256 } from "../../core/lib/digest.ts";
import { TokenBucket } from "../../core/lib/token-bucket.ts";
import { trackInProgress } from "../../core/metrics/instruments.ts";
import { MetricsRegistry } from "../../core/metrics/registry.ts";
import { CircuitBreaker, CircuitOpenError } from "../sources/circuit-breaker.ts";
import { type EdgeMetrics, edgeMetrics } from "../sources/edge-metrics.ts";
import { KeyCopies } from "./key-copies.ts";
import type { ClientPorts } from "../sources/ports.ts";
import { findKey, type FoundKey, type KeyRow } from "../sources/queries.ts";

/**
 * After this time one request renews a key lease, milliseconds. During the renewal, other requests
 * use the old lease until its age is `MAX_LEASE_MS`.
 */
export const LEASE_MS = 1_000;

/**
 * After this time requests wait until a key lease is renewed, milliseconds. If the database is
 * unavailable then, the isolate extends the old lease.
 */
export const MAX_LEASE_MS = 2_000;

/**
 * The timeout of a key check and of a build of the rules, milliseconds. A slower database counts as
 * unavailable.
 */
export const DATABASE_TIMEOUT_MS = 1_500;

/** The timeout of a read from KV, milliseconds. A read that misses KV's local cache takes about 100 ms. */
export const STORE_TIMEOUT_MS = 1_000;

/** How often a waiting request checks whether another request has renewed the lease, milliseconds. */
const POLL_MS = 5;

/** The most key leases in memory. A lease takes about 300 bytes. */
const MAX_LEASES = 10_000;

/**
 * The most API keys that an isolate checks per second if neither its memory nor KV knows the keys.
 * The limit protects the primary database from invented keys.
 */
export const UNKNOWN_KEYS_PER_SECOND = 50;

/**
 * The most environments and deleted API keys for which an isolate remembers the sequence number of
 * its last write.
 */
const MAX_WRITTEN = 1_000;

interface CheckedKey extends FoundKey {
  /**
   * The D1 bookmark of the key check. A D1 session opened with this bookmark sees at least the
   * revision in `key`.
   */
  readonly bookmark: string | undefined;
}

/** A key lease: what the isolate knows about one API key. */
export interface Lease extends Pick<CheckedKey, "bookmark"> {
  /** The SHA-256 hash of the API key, base64url. */
  readonly hash: string;
  /** The sequence number of the check. A later check or write of the isolate has a higher one. */
  readonly sequence: number;
  /** undefined: the API key does not exist. */
  key: KeyRow | undefined;
  /**
   * When the last check of the API key began, or failed, epoch milliseconds; 0: the lease is due for renewal.
   */
  askedAt: number;
  /** Whether the database was unavailable at the check, so that the lease may be out of date. */
  stale: boolean;
}

/** The key leases of one isolate (docs/build/architecture.md). */
export class Leases {
  readonly #byToken: Lru<string, Lease>;
  /**
   * For each API key whose lease a request is renewing: until when other requests wait for the
   * renewal, epoch milliseconds.
   */
  readonly #renewing = new Map<string, { readonly until: number }>();
  /** The circuit breaker of the key checks and of other statements with the same timeout. */
  readonly database = new CircuitBreaker(DATABASE_TIMEOUT_MS);
  readonly #copies: KeyCopies;
  readonly #unknown = new TokenBucket(UNKNOWN_KEYS_PER_SECOND);
  /** The sequence number of the last check or write of this isolate. */
  #sequence = 0;
  /**
   * The sequence number of this isolate's last write, by the id of the changed environment or the
   * hash of the deleted API key.
   */
  readonly #written = new Lru<number | string, number>(MAX_WRITTEN);
  readonly #metrics: EdgeMetrics;
  #hasStale = false;

  constructor(
    metrics: EdgeMetrics = edgeMetrics(new MetricsRegistry()),
    store = new CircuitBreaker(STORE_TIMEOUT_MS),
  ) {
    this.#metrics = metrics;
    this.#copies = new KeyCopies(store);
    this.#byToken = new Lru(MAX_LEASES, () => metrics.keys.evictions.add());
  }

  /** Returns the lease of an API key if it is in memory and young enough. Otherwise call `renew`. */
  freshLease(token: string, now: number): Lease | undefined {
    const lease = this.#byToken.get(token);
    if (!lease) return undefined;
    const age = now - lease.askedAt;
    if (age < LEASE_MS) return lease;
    return age < MAX_LEASE_MS && this.#isRenewing(token, now) ? lease : undefined;
  }

  /** Whether the isolate has a lease of the API key, of any age. An invalid key has a lease, too. */
  knows(token: string): boolean {
    return this.#byToken.has(token);
  }

  /**
   * Checks the API key in the database, or waits while another request does. While the database is
   * unavailable, returns what memory or KV knows about the key. Throws: the database's error when
   * neither knows the key, 429 when the isolate checks too many unknown keys, and what
   * `refuseUnknown` throws, which is called for a key that neither knows.
   */
  async renew(
    ports: ClientPorts,
    token: string,
    refuseUnknown: () => void = () => {},
  ): Promise<Lease> {
    while (this.#isRenewing(token, ports.now())) {
      const lease = await trackInProgress(this.#metrics.pending, () =>
        this.#othersRenew(ports, token),
      );
      if (lease) return lease;
    }
    // How long other requests wait: at most the timeouts of the check and of the read from KV.
    // After that, one of them checks the key, too.
    const renewal = { until: ports.now() + DATABASE_TIMEOUT_MS + STORE_TIMEOUT_MS };
    this.#renewing.set(token, renewal);
    try {
      return await this.#check(ports, token, refuseUnknown);
    } finally {
      if (this.#renewing.get(token) === renewal) this.#renewing.delete(token);
    }
  }

  /**
   * Waits while another request renews the lease, and returns the renewed lease; undefined: the renewal
   * failed or took too long. Polls, because the runtime forbids sharing a promise between requests.
   */
  async #othersRenew(ports: ClientPorts, token: string): Promise<Lease | undefined> {
    while (this.#isRenewing(token, ports.now())) {
      await ports.wait(POLL_MS);
      const lease = this.freshLease(token, ports.now());
      if (lease) return lease;
    }
    return undefined;
  }

  #isRenewing(token: string, now: number): boolean {
    return (this.#renewing.get(token)?.until ?? 0) > now;
  }

  async #check(ports: ClientPorts, token: string, refuseUnknown: () => void): Promise<Lease> {
    const known = this.#byToken.get(token);
    const hash = await sha256(token);
    const sequence = ++this.#sequence;
    const copy = known ? undefined : await this.#copies.read(ports, hash);
    // Reads at the replica only if memory or KV knows the key. An unknown key may be new, and the
    // replica may not have it yet, so only the primary can say that it does not exist.
    const isLikely = (known ?? copy)?.key !== undefined;
    if (!isLikely) {
      refuseUnknown();
      if (!this.#unknown.take(ports.now()))
        throw tooManyRequests("Too many unknown API keys; try again in a second", 1_000);
    }
    // Takes the time before the query, so that a slow query does not make the lease last longer.
    const asked = ports.now();
    let lease: Lease;
    try {
      const found = await this.database.call(ports, () => checkKey(ports, hash, isLikely));
      const { key, bookmark } = found;
      lease = { hash, sequence, key, bookmark, askedAt: asked, stale: false };
      if (found.isRevoked) ports.later(ports.reportRevoked(hash, found.reportedAt));
      if (key && copy?.isDue) this.#copies.repair(ports, hash, key, found.createdAt ?? 0);
      this.#endOutage();
    } catch (error) {
      if (!(error instanceof CircuitOpenError)) ports.fault("key check", error);
      // Prefers memory to KV, because KV may still have a key whose deletion the isolate has
      // noticed already.
      const key = known ? known.key : copy?.key && { ...copy.key, revision: 0 };
      if (!known && !key) throw error;
      // Stores the fallback as a new lease. Otherwise every request would query the database during
      // an outage.
      const { bookmark } = known ?? {};
      lease = { hash, sequence, key, bookmark, askedAt: ports.now(), stale: true };
      this.#hasStale = true;
    }
    return this.#keep(token, lease);
  }

  /**
   * Puts the result of a check in memory and returns it. If memory has the result of a later check,
   * returns that one. If this isolate has changed the environment during the check, the lease is
   * due for renewal; if it has deleted the API key, the lease has no key.
   */
  #keep(token: string, lease: Lease): Lease {
    const held = this.#byToken.get(token);
    if (held && held.sequence > lease.sequence) return held;
    const isOutdated = (name: number | string) => (this.#written.get(name) ?? 0) > lease.sequence;
    if (lease.key && isOutdated(lease.key.environmentId)) lease.askedAt = 0;
    if (isOutdated(lease.hash)) Object.assign(lease, { key: undefined, askedAt: 0 });
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
    for (const id of environmentIds) this.#written.set(id, ++this.#sequence);
    for (const [token, lease] of this.#byToken.entries())
      if (lease.key && environmentIds.has(lease.key.environmentId)) {
        lease.askedAt = 0;
        // Removes the running renewal, so that no request waits for it. It began before the write
        // and may return the old revision.
        this.#renewing.delete(token);
      }
    this.database.close();
    this.#endOutage();
  }

  /**
   * Call this after an API key was deleted. The next request with the key then checks the database.
   * Other isolates notice the deletion when they renew their leases. `hash`: the hash of the key.
   */
  forget(hash: string): void {
    this.#written.set(hash, ++this.#sequence);
    for (const lease of this.#byToken.values())
      if (lease.hash === hash) Object.assign(lease, { key: undefined, askedAt: 0 });
  }
}

/**
 * Looks an API key up in the database by its hash: at the nearest replica if the key is likely to
 * exist, and at the primary if the replica does not know the key. Throws: the database's errors.
 */
async function checkKey(ports: ClientPorts, hash: string, isLikely: boolean): Promise<CheckedKey> {
  if (isLikely) {
    const replica = ports.openSession("first-unconstrained");
    const found = await findKey(replica, hash);
    if (found.key || found.isRevoked)
      return { ...found, bookmark: replica.getBookmark() ?? undefined };
  }
  const primary = ports.openSession("first-primary");
  return { ...(await findKey(primary, hash)), bookmark: primary.getBookmark() ?? undefined };
}
