import { type SQL, sql } from "drizzle-orm";

/** What stands behind `IN`: one parameter whatever the number of values, as D1 takes 100 a statement. */
export const jsonList = (values: readonly (number | string)[]): SQL =>
  sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
