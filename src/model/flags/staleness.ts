import { and, eq, type SQLWrapper, sql } from "drizzle-orm";
import { DAY_MS } from "../../core/lib/time.ts";
import { flags } from "../../db/schema/projects.ts";

type Flag = Pick<typeof flags.$inferSelect, "flagType" | "archived" | "updatedAt"> & {
  /** The setting `staleDays` of the flag's project. */
  readonly staleDays: number;
};

/**
 * Returns whether a flag is stale at the time `now`, in epoch milliseconds: a `RELEASE` flag that is
 * not archived and has not changed for the days that its project sets. A stale flag should be
 * removed (docs/build/decisions.md, 2.11).
 */
export const isStale = ({ flagType, archived, updatedAt, staleDays }: Flag, now: number): boolean =>
  flagType === "RELEASE" && !archived && now - updatedAt >= staleDays * DAY_MS;

/**
 * Returns the SQL condition on the table `flags` that selects the flags for which `isStale` returns
 * true. With the id of the flags' project, SQLite reads the setting once instead of for each flag,
 * and can search an index for the time. The id is a number, or the column of an outer query.
 */
export const whereStale = (now: number, projectId?: number | SQLWrapper) =>
  and(
    eq(flags.flagType, "RELEASE"),
    eq(flags.archived, false),
    sql`${flags.updatedAt} <= ${now} - ${DAY_MS} * ${staleDays(projectId)}`,
  );

/** Returns the SQL expression for the setting `staleDays` of a flag's project. */
export const staleDays = (projectId?: number | SQLWrapper) =>
  sql<number>`(SELECT p.stale_days FROM projects p WHERE p.id = ${projectId ?? sql`flags.project_id`})`;
