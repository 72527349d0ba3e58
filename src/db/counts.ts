import { type SQL, sql } from "drizzle-orm";

/**
 * Returns the SQL column for the count that `select` returns; NULL if the request does not ask for counts.
 */
export const countIf = (isCounted: boolean, select: string): SQL<number | null> =>
  isCounted ? sql<number | null>`(${sql.raw(select)})`.mapWith(Number) : sql<null>`NULL`;
