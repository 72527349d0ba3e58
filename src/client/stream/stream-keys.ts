import { LRUCache } from "lru-cache";
import { type CircuitBreaker, CircuitOpenError } from "../circuit-breaker.ts";
import { LEASE_MS, type Lease } from "../leases.ts";
import type { ClientPorts } from "../ports.ts";
import { findKeyById, type KeyRow } from "../queries.ts";
import type { StreamClaims } from "./token.ts";

/** The most API keys of stream tokens that an isolate remembers. */
const MAX_KEYS = 10_000;

/** How long other requests wait while a request checks the same key, milliseconds. */
const CHECK_MS = 1_500;
/** How often a waiting request checks whether the other request is done, milliseconds. */
const POLL_MS = 5;

/** The lease of the key of a stream token. */
type StreamLease = Pick<Lease, "key" | "bookmark" | "stale">;

interface Checked extends StreamLease {
  readonly askedAt: number;
}

/**
 * The API keys of stream tokens, each checked at most once a second. A valid token proves that its
 * key existed, so while the database is unavailable the token is accepted.
 */
export class StreamKeys {
  readonly #checked = new LRUCache<number, Checked>({ max: MAX_KEYS });
  readonly #checking = new Map<number, number>();
  readonly #database: CircuitBreaker;

  constructor(database: CircuitBreaker) {
    this.#database = database;
  }

  /** Whether the isolate has checked the API key of a token before. */
  knows({ keyId }: StreamClaims): boolean {
    return this.#checked.has(keyId);
  }

  /** Checks the API key of a token. The lease has no key when the API key was deleted. */
  async check(ports: ClientPorts, claims: StreamClaims): Promise<StreamLease> {
    const { keyId } = claims;
    while ((this.#checking.get(keyId) ?? 0) > ports.now()) await ports.wait(POLL_MS);
    const known = this.#checked.get(keyId);
    if (known && ports.now() - known.askedAt < LEASE_MS) return known;
    const until = ports.now() + CHECK_MS;
    this.#checking.set(keyId, until);
    try {
      const askedAt = ports.now();
      const lease = await this.#read(ports, claims, known);
      this.#checked.set(keyId, { ...lease, askedAt });
      return lease;
    } finally {
      if (this.#checking.get(keyId) === until) this.#checking.delete(keyId);
    }
  }

  async #read(
    ports: ClientPorts,
    claims: StreamClaims,
    known: Checked | undefined,
  ): Promise<StreamLease> {
    try {
      return await this.#database.call(ports, () => readKey(ports, claims.keyId));
    } catch (error) {
      if (!(error instanceof CircuitOpenError)) ports.fault("key check", error);
      return {
        bookmark: undefined,
        ...known,
        key: known ? known.key : trusted(claims),
        stale: true,
      };
    }
  }
}

/**
 * Reads an API key at the nearest replica, and at the primary if the replica does not have it.
 * Throws: the database's errors.
 */
async function readKey(ports: ClientPorts, keyId: number): Promise<StreamLease> {
  for (const from of ["first-unconstrained", "first-primary"] as const) {
    const session = ports.openSession(from);
    const key = await findKeyById(session, keyId);
    if (key) return { key, bookmark: session.getBookmark() ?? undefined, stale: false };
  }
  return { key: undefined, bookmark: undefined, stale: false };
}

/** Returns the key of a token that the database did not confirm. It counts as a public key. */
const trusted = ({ keyId, environmentId }: StreamClaims): KeyRow => ({
  id: keyId,
  keyType: "FRONTEND",
  environmentId,
  projectId: 0,
  revision: 0,
});
