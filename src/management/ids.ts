import { inArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** `IN` with one parameter whatever the number of ids: D1 takes 100 in a statement. */
export const inIds = (column: SQLiteColumn, ids: readonly number[]): SQL =>
  inArray(column, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`);
