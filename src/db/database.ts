import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { drizzle as drizzleProxy } from "drizzle-orm/sqlite-proxy";

/** The methods of a D1 binding that this folder uses. A D1 session has them, too. */
export type SqlClient = Pick<D1DatabaseSession, "prepare" | "batch">;

/** A D1 session. Its bookmark names the newest state of the database that it has seen. */
export type Session = Pick<D1DatabaseSession, "prepare" | "batch" | "getBookmark">;

/** A database for reading. Writes go through `commit`, so that each leaves an audit record. */
export type ReadDb = Pick<DrizzleD1Database, "select" | "selectDistinct" | "batch">;

/** Reads through the given session. Its queries throw what D1 throws. */
export function readDb(client: SqlClient): ReadDb {
  // The type demands the whole binding, but drizzle calls only `prepare` and `batch`.
  return drizzle(client as unknown as D1Database);
}

/** Builds statements without a connection. `commit` executes them. */
export const write = drizzleProxy(() => {
  throw new Error("Pass the statement to commit(), which executes it");
});

/** Whether a constraint or a trigger rejected the statement, which is no fault of the database. */
export const isConstraintViolation = (error: unknown): boolean =>
  error instanceof Error && /constraint failed|SQLITE_CONSTRAINT/.test(error.message);
