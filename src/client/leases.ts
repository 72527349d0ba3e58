import { LRUCache } from "lru-cache";
import { sha256 } from "../core/digest.ts";
import type { ClientPorts } from "./ports.ts";
import { findKey, type KeyRow } from "./queries.ts";

/** After this long one request asks the database again; the others go on with what is known. */
const LEASE_MS = 1_000;

/** A lease is never honoured for longer, unless the database cannot be asked. */
export const MAX_LEASE_MS = 2_000;

/** Slower than this counts as a database that does not answer. */
const DATABASE_BOUND_MS = 1_500;

const LOOK_MS = 5;

/** Some 300 bytes each. */
const MAX_LEASES = 10_000;

/** What is known of one key, and since when. */
export interface Lease {
  readonly hash: string;
  /** undefined: there is no such key. */
  key: KeyRow | undefined;
  /** A session that starts here is at least as new as the revision of the key. */
  readonly bookmark: string | undefined;
  /** When the question that it answers was asked, epoch milliseconds. */
  askedAt: number;
  /** The database did not answer; what is known may be old. */
  stale: boolean;
}

/** The key leases of one isolate (design.md, A read at the edge). */
export class Leases {
  readonly #byToken = new LRUCache<string, Lease>({ max: MAX_LEASES });
  /** Until when a question by another request is waited for, by token. */
  readonly #asking = new Map<string, number>();

  /** The lease of a key that is already in memory and young enough; undefined: `renew` it. */
  current(token: string, now: number): Lease | undefined {
    const lease = this.#byToken.get(token);
    if (!lease) return undefined;
    const age = now - lease.askedAt;
    if (age < LEASE_MS) return lease;
    return age < MAX_LEASE_MS && this.#isAsked(token, now) ? lease : undefined;
  }

  /** Asks the database, or falls back on what is known. Errors: the database's, when nothing is. */
  async renew(ports: ClientPorts, token: string): Promise<Lease> {
    // No promise is shared between requests (design.md, 12): the others look until one has asked.
    while (this.#isAsked(token, ports.now())) {
      await ports.wait(LOOK_MS);
      const lease = this.current(token, ports.now());
      if (lease) return lease;
    }
    this.#asking.set(token, ports.now() + DATABASE_BOUND_MS);
    try {
      return await this.#ask(ports, token);
    } finally {
      this.#asking.delete(token);
    }
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
      const found = await within(ports, DATABASE_BOUND_MS, askForKey(ports, hash));
      lease = { hash, ...found, askedAt: asked, stale: false };
      if (!found.key) ports.later(ports.reportRefused(hash));
    } catch (error) {
      ports.fault("key check", error);
      const fallback = known?.key ?? (await this.#fromStore(ports, hash));
      if (!fallback) throw error;
      // Ask again after a lease, not with every request: an outage is no time for a stampede.
      const bookmark = known?.bookmark;
      lease = { hash, key: fallback, bookmark, askedAt: ports.now(), stale: true };
    }
    this.#byToken.set(token, lease);
    return lease;
  }

  /** Makes the leases of these environments due, after a write in this very isolate. */
  expire(environmentIds: ReadonlySet<number>): void {
    for (const lease of this.#byToken.values())
      if (lease.key && environmentIds.has(lease.key.environmentId)) lease.askedAt = 0;
  }

  /** Forgets a deleted key, in this isolate; the others' leases run out by themselves. */
  forget(hash: string): void {
    for (const [token, lease] of this.#byToken.entries())
      if (lease.hash === hash) this.#byToken.delete(token);
  }

  async #fromStore(ports: ClientPorts, hash: string): Promise<KeyRow | undefined> {
    const key = await ports.store.key(hash);
    return key && { ...key, revision: 0 };
  }
}

async function askForKey(ports: ClientPorts, hash: string) {
  const near = ports.openSession("first-unconstrained");
  const found = await findKey(near, hash);
  if (found) return { key: found, bookmark: near.getBookmark() ?? undefined };
  // A replica may not have heard of a new key yet: only the primary's no is a no.
  const primary = ports.openSession("first-primary");
  const key = (await findKey(primary, hash)) ?? undefined;
  return { key, bookmark: primary.getBookmark() ?? undefined };
}

async function within<T>(ports: ClientPorts, ms: number, work: Promise<T>): Promise<T> {
  const late = ports.wait(ms).then(() => {
    throw new Error(`no answer within ${ms} ms`);
  });
  return Promise.race([work, late]);
}
