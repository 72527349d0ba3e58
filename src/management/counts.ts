import { type SQL, sql } from "drizzle-orm";

/** Returns the column for the result of a SELECT that counts; NULL if the list is not counted. */
export const countIf = (isCounted: boolean, select: string): SQL<number | null> =>
  isCounted ? sql<number | null>`(${sql.raw(select)})`.mapWith(Number) : sql<null>`NULL`;
