import { sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { conflict, preconditionFailed } from "../core/errors/api-error.ts";
import type { ConditionGuard } from "../db/guards.ts";
import { jsonRows } from "../db/json-list.ts";

/**
 * The maximum number of attempts of one update. concurrency.test.ts checks that 20 simultaneous
 * updates of one row all succeed.
 */
const ATTEMPTS = 60;

/**
 * The longest random wait before the second new attempt, milliseconds. The first new attempt is made at once.
 * The longest wait before the third is twice as long, before the fourth three times, and so on.
 */
const BACKOFF_MS = 8;

/**
 * The error of a commit that fails because a row has changed since it was read. `repeatStale` catches this
 * error and tries again. A caller of the API gets this error (409) only after the last attempt.
 */
export const staleRow = conflict("Other requests changed the resource at the same time; try again");

interface OptimisticUpdate<Row, Result> {
  /** The versions of the row that the request header `If-Match` accepts. Undefined accepts every version. */
  readonly ifMatch?: readonly number[] | undefined;
  /** Reads the row. Throws if the row does not exist. */
  readonly read: () => Promise<Row>;
  /** Commits the change. Throws `staleRow` if the row has changed since `read`. */
  readonly write: (row: Row) => Promise<Result>;
}

/**
 * Updates a row under an optimistic lock. If another request changes the row between `read` and
 * `write`, both run again, so no update is lost. Throws: 412 if `ifMatch` does not contain the
 * row's version, 409 after `ATTEMPTS` attempts, and the errors of `read` and `write`.
 */
export async function optimisticUpdate<Row extends { readonly version: number }, Result>({
  ifMatch,
  read,
  write,
}: OptimisticUpdate<Row, Result>): Promise<Result> {
  return repeatStale(async () => {
    const row = await read();
    if (ifMatch && !ifMatch.includes(row.version)) throw preconditionFailed();
    return write(row);
  });
}

/**
 * Runs an attempt that reads rows and commits a change of them. If the attempt throws `staleRow`,
 * because another request has changed a row in between, it runs again. Throws: 409 after `ATTEMPTS`
 * attempts, and the errors of the attempt.
 */
export async function repeatStale<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let n = 0; n < ATTEMPTS; n++) {
    try {
      return await attempt();
    } catch (error) {
      if (error !== staleRow) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * BACKOFF_MS * n));
  }
  throw staleRow;
}

/** Returns the guard for an `optimisticUpdate`. Fails if the row has changed since it was read. */
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

/** Returns the guard that fails if one of many rows has changed since it was read. */
export function allUnchanged(
  table: SQLiteTable & { id: SQLiteColumn; version: SQLiteColumn },
  rows: readonly { readonly id: number; readonly version: number }[],
): ConditionGuard {
  const versions = jsonRows(rows.map(({ id, version }) => [id, version]));
  return {
    holds: sql`NOT EXISTS (SELECT 1 FROM ${versions} j WHERE NOT EXISTS (SELECT 1 FROM ${table}
      WHERE ${table.id} = j.value ->> 0 AND ${table.version} = j.value ->> 1))`,
    error: staleRow,
  };
}
