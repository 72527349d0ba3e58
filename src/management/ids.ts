import { inArray, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { jsonList } from "../db/json-list.ts";

/** `IN` a list of any length (see `jsonList`). */
export const inIds = (column: SQLiteColumn, ids: readonly number[]): SQL =>
  inArray(column, jsonList(ids));
