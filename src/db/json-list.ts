import { type SQL, sql } from "drizzle-orm";

/** The right side of `IN`. One parameter for any number of values: D1 allows 100 per statement. */
export const jsonList = (values: readonly (number | string)[]): SQL =>
  sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
