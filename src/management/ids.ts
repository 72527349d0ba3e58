import { inArray, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { jsonList } from "../db/json-list.ts";

/** Returns the SQL condition `column IN (ids)` for a list of any length. */
export const inIds = (column: SQLiteColumn, ids: readonly number[]): SQL =>
  inArray(column, jsonList(ids));
