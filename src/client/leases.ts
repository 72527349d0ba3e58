import { LRUCache } from "lru-cache";
import { sha256 } from "../core/lib/digest.ts";
import { trackInProgress } from "../core/metrics/instruments.ts";
import { MetricsRegistry } from "../core/metrics/registry.ts";
import { askForKey, type CheckedKey } from "./key-check.ts";
import { type EdgeMeters, edgeMeters } from "./meters.ts";
import { Patience, RestingError } from "./patience.ts";
import type { ClientPorts } from "./ports.ts";
import type { KeyRow } from "./queries.ts";

/** After this long one request asks the database again; the others go on with what is known. */
export const LEASE_MS = 1_000;

/** A lease is never honoured for longer, unless the database cannot be asked. */
export const MAX_LEASE_MS = 2_000;

/** Slower than this counts as a database that does not answer. */
export const DATABASE_BOUND_MS = 1_500;

/** The same of the edge's store, which takes some 100 ms for what its location does not have yet. */
export const STORE_BOUND_MS = 1_000;

const LOOK_MS = 5;

/** Some 300 bytes each. */
const MAX_LEASES = 10_000;

/** What is known of one key, and since when. */
export interface Lease extends CheckedKey {
  readonly hash: string;
  key: KeyRow | undefined;
  /** When the question that it answers was asked, epoch milliseconds. */
  askedAt: number;
  /** The database did not answer; what is known may be old. */
  stale: boolean;
}

/** The key leases of one isolate (design.md, A read at the edge). */
export class Leases {
  readonly #byToken: LRUCache<string, Lease>;
  /** Until when a question by another request is waited for, by token. */
  readonly #asking = new Map<string, number>();
  readonly #database = new Patience(DATABASE_BOUND_MS);
  readonly #store: Patience;
  readonly #meters: EdgeMeters;
  #hasStale = false;

  constructor(
    meters: EdgeMeters = edgeMeters(new MetricsRegistry()),
    store = new Patience(STORE_BOUND_MS),
  ) {
    this.#meters = meters;
    this.#store = store;
    this.#byToken = new LRUCache({
      max: MAX_LEASES,
      dispose: (_lease, _token, reason) => {
        if (reason !== "set") meters.keys.evictions.add();
      },
    });
  }

  /** The lease of a key that is already in memory and young enough; undefined: `renew` it. */
  current(token: string, now: number): Lease | undefined {
    const lease = this.#byToken.get(token);
    if (!lease) return undefined;
    const age = now - lease.askedAt;
    if (age < LEASE_MS) return lease;
    return age < MAX_LEASE_MS && this.#isAsked(token, now) ? lease : undefined;
  }

  /** Whether the database was asked for it before, whatever it said. */
  knows(token: string): boolean {
    return this.#byToken.has(token);
  }

  /** Asks the database, or falls back on what is known. Errors: the database's, when nothing is. */
  async renew(ports: ClientPorts, token: string): Promise<Lease> {
    while (this.#isAsked(token, ports.now())) {
      const lease = await trackInProgress(this.#meters.pending, () =>
        this.#othersAsk(ports, token),
      );
      if (lease) return lease;
    }
    // A little longer than any question takes: whoever waits for it need not ask it again.
    this.#asking.set(token, ports.now() + DATABASE_BOUND_MS + STORE_BOUND_MS);
    try {
      return await this.#ask(ports, token);
    } finally {
      this.#asking.delete(token);
    }
  }

  /** No promise is shared between requests (design.md, 12): the others look until one has asked. */
  async #othersAsk(ports: ClientPorts, token: string): Promise<Lease | undefined> {
    while (this.#isAsked(token, ports.now())) {
      await ports.wait(LOOK_MS);
      const lease = this.current(token, ports.now());
      if (lease) return lease;
    }
    return undefined;
  }

  #isAsked(token: string, now: number): boolean {
    return (this.#asking.get(token) ?? 0) > now;
  }

  async #ask(ports: ClientPorts, token: string): Promise<Lease> {
    const known = this.#byToken.get(token);
    const hash = await sha256(token);
    // Right before the question: what the database answers is at least as new as this.
    const asked = ports.now();
    let lease: Lease;
    try {
      const found = await this.#database.ask(ports, () => askForKey(ports, hash));
      lease = { hash, ...found, askedAt: asked, stale: false };
      if (!found.key) ports.later(ports.reportRefused(hash));
      this.#endOutage();
    } catch (error) {
      if (!(error instanceof RestingError)) ports.fault("key check", error);
      // A key that memory knows to be dead stays dead, whatever the store still has.
      const key = known ? known.key : await this.#fromStore(ports, hash);
      if (!known && !key) throw error;
      // Ask again after a lease, not with every request: an outage is no time for a stampede.
      lease = { hash, key, bookmark: known?.bookmark, askedAt: ports.now(), stale: true };
      this.#hasStale = true;
    }
    this.#byToken.set(token, lease);
    this.#meters.keys.puts.add();
    return lease;
  }

  /** The database has answered: whoever had to go without asks with the next request. */
  #endOutage(): void {
    if (!this.#hasStale) return;
    this.#hasStale = false;
    for (const lease of this.#byToken.values()) if (lease.stale) lease.askedAt = 0;
  }

  /** Makes the leases of these environments due, after a write in this very isolate. */
  expire(environmentIds: ReadonlySet<number>): void {
    for (const lease of this.#byToken.values())
      if (lease.key && environmentIds.has(lease.key.environmentId)) lease.askedAt = 0;
    this.#database.end();
    this.#endOutage();
  }

  /** A key was deleted: dead in this isolate from now on; the others' leases run out by themselves. */
  forget(hash: string): void {
    for (const lease of this.#byToken.values())
      if (lease.hash === hash) Object.assign(lease, { key: undefined, askedAt: 0 });
  }

  async #fromStore(ports: ClientPorts, hash: string): Promise<KeyRow | undefined> {
    try {
      const key = await this.#store.ask(ports, () => ports.store.key(hash));
      return key && { ...key, revision: 0 };
    } catch (error) {
      if (!(error instanceof RestingError)) ports.fault("key store", error);
      return undefined;
    }
  }
}
