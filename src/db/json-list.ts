import { type SQL, sql } from "drizzle-orm";
import { withoutPauses, type Pausing } from "@feature-flags/evaluation/pausing";
import { textBytes } from "../core/lib/chunks.ts";

/** The greatest size of a list that a statement binds as one parameter, bytes. D1 limits a value to 2 MB. */
export const MAX_LIST_BYTES = 1_000_000;

/**
 * Returns the right side of an SQL `IN` for a list of values. The list is bound as one parameter,
 * because D1 allows 100 parameters per statement.
 */
export const inList = (values: readonly (number | string)[]): SQL =>
  sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** Returns a column whose value is parsed from the JSON of an SQL expression. */
export const fromJson = <T>(json: SQL<T>) => json.mapWith((text: string) => JSON.parse(text) as T);

/**
 * Returns rows as JSON lists, each as large as one parameter may be; none for an empty list. A
 * statement for each of them reads the rows with `json_each`.
 */
export const jsonChunks = (rows: readonly unknown[]): string[] =>
  withoutPauses(jsonChunkSteps(rows));

/** Does the same as `jsonChunks` in steps. A row above `MAX_LIST_BYTES` gets a list of its own. */
export function* jsonChunkSteps(rows: Iterable<unknown>): Pausing<string[]> {
  const chunks: string[] = [];
  let texts: string[] = [];
  let room = MAX_LIST_BYTES;
  for (const row of rows) {
    const text = JSON.stringify(row);
    yield text;
    const bytes = textBytes(text) + 1;
    if (bytes > room && texts.length > 0) {
      chunks.push(`[${texts.join(",")}]`);
      texts = [];
      room = MAX_LIST_BYTES;
    }
    texts.push(text);
    room -= bytes;
  }
  if (texts.length > 0) chunks.push(`[${texts.join(",")}]`);
  return chunks;
}

/**
 * Returns a table with a row `value` for each row, as `json_each` does for a list, with as many
 * parameters as the size of the rows needs. The rows keep their order.
 */
export function jsonRows(rows: readonly unknown[]): SQL {
  const chunks = jsonChunks(rows);
  if (chunks.length < 2) return sql`json_each(${chunks[0] ?? "[]"})`;
  const parts = chunks.map((chunk) => sql`SELECT value FROM json_each(${chunk})`);
  return sql`(${sql.join(parts, sql` UNION ALL `)})`;
}
