import { type SQL, sql } from "drizzle-orm";
import { chunked, jsonBytes } from "../core/lib/chunks.ts";

/**
 * The greatest size of a list that a statement binds as one parameter, bytes. D1 limits a value to
 * 2 MB.
 */
export const MAX_LIST_BYTES = 1_000_000;

/**
 * Returns the right side of an SQL `IN` for a list of values. The list is bound as one parameter,
 * because D1 allows 100 parameters per statement.
 */
export const jsonList = (values: readonly (number | string)[]): SQL =>
  sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** Returns a column whose value is parsed from the JSON of an SQL expression. */
export const fromJson = <T>(json: SQL<T>) => json.mapWith((text: string) => JSON.parse(text) as T);

/**
 * Returns rows as JSON lists, each as large as one parameter may be; none for an empty list. A
 * statement for each of them reads the rows with `json_each`.
 */
export const jsonChunks = (rows: readonly unknown[]): string[] =>
  chunked(rows, jsonBytes, { size: MAX_LIST_BYTES }).map((chunk) => JSON.stringify(chunk));
