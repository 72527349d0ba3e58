import { type SQL, sql } from "drizzle-orm";

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
