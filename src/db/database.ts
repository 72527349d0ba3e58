import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { drizzle as drizzleProxy } from "drizzle-orm/sqlite-proxy";

/** What this folder needs of a D1 binding; a D1 session has it too. */
export type SqlClient = Pick<D1DatabaseSession, "prepare" | "batch">;

/** The same, knowing which state of the database it has seen. */
export type Session = Pick<D1DatabaseSession, "prepare" | "batch" | "getBookmark">;

/** A database that can be read only: `commit` is the one writer (design.md, The house). */
export type ReadDb = Pick<DrizzleD1Database, "select" | "selectDistinct" | "batch">;

/** Reads through the given session. Errors: whatever D1 throws. */
export function readDb(client: SqlClient): ReadDb {
  // drizzle asks for the whole binding but uses prepare and batch alone.
  return drizzle(client as unknown as D1Database);
}

/** Builds statements without a connection: the only thing to do with one is to commit it. */
export const write = drizzleProxy(() => {
  throw new Error("a statement is executed by commit()");
});

/** Whether the database works, and says no: a guard, a constraint or a trigger (see commit.ts). */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Error && /constraint failed|SQLITE_CONSTRAINT/.test(error.message);
