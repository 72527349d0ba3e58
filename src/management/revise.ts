import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { ApiError, conflict, preconditionFailed } from "../core/errors/api-error.ts";
import type { Guard } from "../db/commit.ts";

/** Enough for a hundred people saving the same thing in the same moment. */
const ATTEMPTS = 60;
const BACKOFF_MS = 8;

const overtaken = conflict("Too many changes at once; try again");

/**
 * Read, decide, write: `write` commits under the guard that the row is still as it was read. When
 * somebody was faster it starts again from their result, so nothing is lost; a caller who demanded
 * a version (`If-Match`) is told instead, with 412. `read` throws when there is nothing to revise.
 */
export async function revise<Row extends { readonly version: number }, Result>(
  demanded: readonly number[] | undefined,
  read: () => Promise<Row>,
  write: (row: Row, otherwise: ApiError) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const row = await read();
    if (demanded && !demanded.includes(row.version)) throw preconditionFailed();
    try {
      return await write(row, overtaken);
    } catch (error) {
      if (error !== overtaken) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * BACKOFF_MS * attempt));
  }
  throw overtaken;
}

/** Holds while the row has the version that was read. */
export function unchanged(
  table: SQLiteTable & { id: SQLiteColumn; version: SQLiteColumn },
  row: { readonly id: number; readonly version: number },
  otherwise: ApiError,
): Guard {
  const { id, version } = table;
  return {
    holds: sql`EXISTS (SELECT 1 FROM ${table} WHERE ${id} = ${row.id} AND ${version} = ${row.version})`,
    otherwise,
  };
}

/** Holds while there are fewer rows than the quota allows (decisions 4.5). */
export function belowQuota(count: SQL, limit: number, what: string): Guard {
  return {
    holds: sql`(${count}) < ${limit}`,
    otherwise: new ApiError("QUOTA_EXCEEDED", `No more than ${limit} ${what}`),
  };
}
