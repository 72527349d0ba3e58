import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { drizzle as drizzleProxy } from "drizzle-orm/sqlite-proxy";

/** The methods of a D1 database that this folder uses. A D1 session has the same methods. */
export type SqlClient = Pick<D1DatabaseSession, "prepare" | "batch">;

/**
 * A D1 session. Its bookmark identifies the newest state of the database that the session has read
 * or written.
 */
export type Session = Pick<D1DatabaseSession, "prepare" | "batch" | "getBookmark">;

/**
 * A database that can only be read. Changes are written by `commit`, so that each has an audit
 * record.
 */
export type ReadDb = Pick<DrizzleD1Database, "select" | "selectDistinct" | "batch">;

/** Returns a database for reading through the given client. Its queries throw the errors of D1. */
export function readDb(client: SqlClient): ReadDb {
  // The cast is safe: drizzle's type requires a whole D1 database, but drizzle calls only `prepare`
  // and `batch`.
  return drizzle(client as unknown as D1Database);
}

/** Builds write statements without executing them. `commit` executes them. */
export const write = drizzleProxy(() => {
  throw new Error("Pass the statement to commit(), which executes it");
});

/**
 * Returns whether a constraint or a trigger rejected the statement. Such an error is not a fault of
 * the database.
 */
export const isConstraintViolation = (error: unknown): boolean =>
  error instanceof Error && /constraint failed|SQLITE_CONSTRAINT/.test(error.message);
