import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { drizzle as drizzleProxy } from "drizzle-orm/sqlite-proxy";

/** The methods of a D1 database that this folder uses. A D1 session has the same methods. */
export type SqlClient = Pick<D1DatabaseSession, "prepare" | "batch">;

/**
 * A D1 session. Its bookmark identifies the newest state of the database that the session has read
 * or written.
 */
export type DbSession = Pick<D1DatabaseSession, "prepare" | "batch" | "getBookmark">;

/**
 * A drizzle database with only the methods that read. All writes must go through `commit`, so that
 * every change has an audit record.
 */
export type ReadDb = Pick<DrizzleD1Database, "select" | "selectDistinct" | "batch">;

/** Returns a drizzle database that reads through the given D1 client. */
export function readDb(client: SqlClient): ReadDb {
  // The cast is safe: drizzle's type requires a whole D1 database, but drizzle calls only `prepare`
  // and `batch`.
  return drizzle(client as unknown as D1Database);
}

/**
 * A drizzle database that builds INSERT, UPDATE and DELETE statements but cannot execute them.
 * `commit` or `record` executes the statements.
 */
export const write = drizzleProxy(() => {
  throw new Error("`write` only builds statements; execute them with commit() or record()");
});

/** The text in the error message of a statement that fails because a condition of `commit` is false. */
export const FAILED = "failed condition";

/**
 * Returns whether the error means that a constraint of the database, or a condition of `commit`,
 * rejected a statement. Such an error is not a fault of the database.
 */
export const isConstraintViolation = (error: unknown): boolean =>
  error instanceof Error &&
  (/constraint failed|SQLITE_CONSTRAINT/.test(error.message) || error.message.includes(FAILED));
