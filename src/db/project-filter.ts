import { and, eq, type SQL, sql, type SQLWrapper } from "drizzle-orm";

/** The projects that a caller sees. */
export interface Visible {
  /** The ids of the projects whose existence is hidden from the caller. */
  readonly hidden: readonly number[];
  /** The ids of the only projects that are not hidden. Undefined: all but `hidden`. */
  readonly only: readonly number[] | undefined;
}

/** The projects whose rows a list contains (`listedProjects`). */
export interface Listed extends Visible {
  /** The only project. Undefined: all that are not hidden. */
  readonly projectId: number | undefined;
}

/** Returns the SQL condition that a column has the id of a listed project; undefined: any id. */
export const isListed = (column: SQLWrapper, { projectId, ...visible }: Listed): SQL | undefined =>
  and(
    projectId === undefined ? undefined : eq(column as SQL, projectId),
    isVisible(column, visible),
  );

/** Returns the SQL condition that a column has not the id of a hidden project; undefined: any id. */
export const isVisible = (column: SQLWrapper, { hidden, only }: Visible): SQL | undefined =>
  and(
    hidden.length === 0 ? undefined : sql`coalesce(${column}, 0) NOT IN ${listOf(hidden)}`,
    only && sql`${column} IN ${listOf(only)}`,
  );

const listOf = (ids: readonly number[]): SQL => sql.raw(`(${ids.map(Number).join(", ")})`);
