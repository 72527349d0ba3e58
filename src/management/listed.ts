import { and, eq, type SQL, sql, type SQLWrapper } from "drizzle-orm";

/** The projects whose rows a list contains (`listedProjects`). */
export interface Listed {
  /** The only project. Undefined: all projects but the hidden ones. */
  readonly projectId: number | undefined;
  /** The ids of the projects whose existence is hidden from the caller. */
  readonly hidden: readonly number[];
}

/** Returns the SQL condition that a column has the id of a listed project; undefined: any id. */
export const isListed = (column: SQLWrapper, { projectId, hidden }: Listed): SQL | undefined =>
  and(
    projectId === undefined ? undefined : eq(column as SQL, projectId),
    isVisible(column, hidden),
  );

/** Returns the SQL condition that a column has not the id of a hidden project; undefined: any id. */
export const isVisible = (column: SQLWrapper, hidden: readonly number[]): SQL | undefined =>
  hidden.length === 0
    ? undefined
    : sql`coalesce(${column}, 0) NOT IN (${sql.raw(hidden.map(Number).join(", "))})`;
