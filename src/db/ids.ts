import { inArray, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { inList } from "./json-list.ts";

/** Returns the SQL condition `column IN (ids)`, which binds one parameter for any number of ids. */
export const inIds = (column: SQLiteColumn, ids: readonly number[]): SQL =>
  inArray(column, inList(ids));
