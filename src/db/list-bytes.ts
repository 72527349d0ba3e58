import { type SQL, sql, type SQLWrapper } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { ApiError } from "../core/errors/api-error.ts";
import type { ReadDb } from "./database.ts";

/**
 * The most bytes of stored JSON that a list may read. The isolate parses all of them at once, which
 * takes up to 0.06 s for each MB (docs/build/performance.md).
 */
const MAX_LIST_BYTES = 3_000_000;

/** Throws: 400 if a list would read more than `max` bytes. `advice` says how to ask for less. */
export async function expectFits(
  db: ReadDb,
  bytes: SQL,
  advice: string,
  max = MAX_LIST_BYTES,
): Promise<void> {
  const [row] = await db
    .select({ bytes: sql<number>`bytes` })
    .from(sql`(SELECT ${bytes} AS bytes)`);
  const found = row?.bytes ?? 0;
  if (found > max)
    throw new ApiError("BAD_REQUEST", `The list takes ${found} bytes, more than ${max}; ${advice}`);
}

interface Limited {
  /** How many bytes of stored JSON the list reads. */
  readonly bytes: SQL;
  /** How to ask for less. */
  readonly advice: string;
  /** The most bytes that it may read. Default: `MAX_LIST_BYTES`. */
  readonly max?: number;
}

/**
 * Reads a list with the SQL condition that it is not too large. A list that is too large has no rows,
 * so only an empty one costs a second statement. Throws: 400 as `expectFits`.
 */
export async function readFitting<T>(
  db: ReadDb,
  { bytes, advice, max = MAX_LIST_BYTES }: Limited,
  read: (condition: SQL) => Promise<T[]>,
): Promise<T[]> {
  const rows = await read(sql`${bytes} <= ${max}`);
  if (rows.length === 0) await expectFits(db, bytes, advice, max);
  return rows;
}

/** The size of a row in a list without its texts: the names of its fields, ids and times, bytes. */
const ROW_BYTES = 250;

interface AllRows {
  /** The columns that a user can make long. */
  readonly texts: readonly SQLWrapper[];
  /** The condition for the rows of the list. Undefined: all rows of the table. */
  readonly where: SQL | undefined;
}

/** Checks a list of the rows of all projects before they are read. Throws: 400 as `expectFits`. */
export function expectAllFit(
  db: ReadDb,
  table: SQLiteTable,
  { texts, where = sql`1` }: AllRows,
): Promise<void> {
  const sizes = [sql`${ROW_BYTES}`, ...texts.map((text) => sql`octet_length(${text})`)];
  const bytes = sql`(SELECT coalesce(sum(${sql.join(sizes, sql` + `)}), 0) FROM ${table} WHERE ${where})`;
  return expectFits(db, bytes, "name a project with projectId");
}
