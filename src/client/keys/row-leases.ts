import { Lru } from "../../core/lib/lru.ts";
import type { SqlClient } from "../../db/database.ts";
import { type CircuitBreaker, CircuitOpenError } from "../sources/circuit-breaker.ts";
import { LEASE_MS, type Lease } from "./leases.ts";
import type { ClientPorts } from "../sources/ports.ts";
import type { KeyRow } from "../sources/queries.ts";

/** The most rows that an isolate remembers. */
const MAX_ROWS = 10_000;

/** How long other requests wait while a request reads the same row, milliseconds. */
const CHECK_MS = 1_500;
/** How often a waiting request checks whether the reading request is done, milliseconds. */
const POLL_MS = 5;

/** The lease of a row that is known by its id. It has no key when the row does not exist. */
export type RowLease = Pick<Lease, "key" | "bookmark" | "stale">;

interface Checked extends RowLease {
  askedAt: number;
}

type FindRow = (client: SqlClient, id: number) => Promise<KeyRow | undefined>;

/**
 * Rows that are known by their ids, each read at most once a second: the API keys of stream tokens,
 * and the environments of service bindings.
 */
export class RowLeases {
  readonly #checked = new Lru<number, Checked>(MAX_ROWS);
  readonly #checking = new Map<number, number>();
  readonly #database: CircuitBreaker;
  readonly #find: FindRow;

  constructor(database: CircuitBreaker, find: FindRow) {
    this.#database = database;
    this.#find = find;
  }

  /** Whether the isolate has read the row before. */
  knows(id: number): boolean {
    return this.#checked.has(id);
  }

  /**
   * Returns the lease of a row. While the database is unavailable, the lease has what the isolate
   * knows about the row, or `trusted` when it knows nothing.
   */
  async check(ports: ClientPorts, id: number, trusted: KeyRow): Promise<RowLease> {
    while ((this.#checking.get(id) ?? 0) > ports.now()) await ports.wait(POLL_MS);
    const known = this.#checked.get(id);
    if (known && ports.now() - known.askedAt < LEASE_MS) return known;
    const until = ports.now() + CHECK_MS;
    this.#checking.set(id, until);
    try {
      const askedAt = ports.now();
      const lease = await this.#read(ports, id, known ?? { key: trusted, bookmark: undefined });
      this.#checked.set(id, { ...lease, askedAt });
      return lease;
    } finally {
      if (this.#checking.get(id) === until) this.#checking.delete(id);
    }
  }

  /** Call this after a write by this isolate: the next check of these rows reads the database. */
  expire(ids: ReadonlySet<number>): void {
    for (const id of ids) {
      const lease = this.#checked.get(id);
      if (lease) lease.askedAt = 0;
    }
  }

  async #read(
    ports: ClientPorts,
    id: number,
    fallback: Pick<RowLease, "key" | "bookmark">,
  ): Promise<RowLease> {
    try {
      return await this.#database.call(ports, () => this.#readRow(ports, id));
    } catch (error) {
      if (!(error instanceof CircuitOpenError)) ports.fault("key check", error);
      const { key, bookmark } = fallback;
      return { key, bookmark, stale: true };
    }
  }

  /**
   * Reads a row at the nearest replica, and at the primary if the replica does not have it. Throws:
   * the database's errors.
   */
  async #readRow(ports: ClientPorts, id: number): Promise<RowLease> {
    for (const from of ["first-unconstrained", "first-primary"] as const) {
      const session = ports.openSession(from);
      const key = await this.#find(session, id);
      if (key) return { key, bookmark: session.getBookmark() ?? undefined, stale: false };
    }
    return { key: undefined, bookmark: undefined, stale: false };
  }
}
