import { type SQL, sql } from "drizzle-orm";

/**
 * Returns the right side of an SQL `IN`. It uses one parameter for any number of values, because D1
 * allows 100 parameters per statement.
 */
export const jsonList = (values: readonly (number | string)[]): SQL =>
  sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
