import { sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { conflict, preconditionFailed } from "../core/errors/api-error.ts";
import type { ConditionGuard } from "../db/commit.ts";

/** Enough for 100 simultaneous updates of one row. concurrency.test.ts runs 20. */
const ATTEMPTS = 60;

/** The wait before attempt n is random, from 0 to n times this. */
const BACKOFF_MS = 8;

/**
 * The error of every guard that fails because the row changed after it was read. `optimisticUpdate`
 * catches it and tries again. The caller of the API sees it only after the last attempt.
 */
export const staleRow = conflict("Other requests changed the resource at the same time; try again");

interface OptimisticUpdate<Row, Result> {
  /** The versions that `If-Match` accepts; undefined accepts any. */
  readonly ifMatch?: readonly number[] | undefined;
  /** Throws when the row does not exist. */
  readonly read: () => Promise<Row>;
  /** Commits under a guard that fails with `staleRow` if the row has changed since `read`. */
  readonly write: (row: Row) => Promise<Result>;
}

/**
 * Reads, decides and writes under an optimistic lock. If another request changed the row in the
 * meantime, it starts again with the changed row, so no update is lost.
 * Throws: 412 when the row's version is not in `ifMatch`; 409 after too many attempts; whatever
 * `read` and `write` throw.
 */
export async function optimisticUpdate<Row extends { readonly version: number }, Result>({
  ifMatch,
  read,
  write,
}: OptimisticUpdate<Row, Result>): Promise<Result> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const row = await read();
    if (ifMatch && !ifMatch.includes(row.version)) throw preconditionFailed();
    try {
      return await write(row);
    } catch (error) {
      if (error !== staleRow) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * BACKOFF_MS * attempt));
  }
  throw staleRow;
}

/** A guard of `optimisticUpdate`: passes while the row still has the version that was read. */
export function unchanged(
  table: SQLiteTable & { id: SQLiteColumn; version: SQLiteColumn },
  row: { readonly id: number; readonly version: number },
): ConditionGuard {
  const { id, version } = table;
  return {
    holds: sql`EXISTS (SELECT 1 FROM ${table} WHERE ${id} = ${row.id} AND ${version} = ${row.version})`,
    error: staleRow,
  };
}
