import { and, asc, eq, type SQLWrapper, sql } from "drizzle-orm";
import type { ConditionGuard } from "../../db/guards.ts";
import { type ReadDb, write } from "../../db/database.ts";
import { flags, projects } from "../../db/schema/projects.ts";
import { inIds } from "../../db/ids.ts";
import { staleRow } from "../optimistic-update.ts";
import { staleDays, whereStale } from "./staleness.ts";

/**
 * Returns the SQL condition on the table `flags` for the flags that are stale, and that the service
 * has not marked since their last change. The index `flags_not_marked` has the same condition.
 */
const whereNewlyStale = (now: number, projectId: number | SQLWrapper) =>
  and(whereStale(now, projectId), sql`${flags.staleMarkedFor} IS NOT ${flags.updatedAt}`);

/**
 * Returns the ids of at most `limit` projects that have newly stale flags. If there are more such
 * projects, the random order lets a later call return the others.
 */
export const projectsWithNewlyStale = (db: ReadDb, now: number, limit: number) =>
  db
    .select({ id: projects.id })
    .from(projects)
    .where(
      sql`EXISTS (SELECT 1 FROM ${flags}
        WHERE ${flags.projectId} = ${projects.id} AND ${whereNewlyStale(now, projects.id)})`,
    )
    .orderBy(sql`random()`)
    .limit(limit);

export type NewlyStaleFlag = Awaited<ReturnType<typeof newlyStaleFlags>>[number];

/** Returns at most `limit` newly stale flags of a project, those with the oldest change first. */
export const newlyStaleFlags = (db: ReadDb, projectId: number, now: number, limit: number) =>
  db
    .select({
      id: flags.id,
      projectId: flags.projectId,
      key: flags.key,
      name: flags.name,
      updatedAt: flags.updatedAt,
      staleDays: staleDays(projectId).mapWith(Number),
    })
    .from(flags)
    .where(and(eq(flags.projectId, projectId), whereNewlyStale(now, projectId)))
    .orderBy(asc(flags.updatedAt), asc(flags.id))
    .limit(limit);

/**
 * Returns the guard that fails if one of the flags is not newly stale any more: it was changed,
 * archived, deleted or marked since it was read, or its project got other `staleDays`.
 */
export function stillNewlyStale(
  projectId: number,
  now: number,
  ids: readonly number[],
): ConditionGuard {
  const { id } = flags;
  const newlyStale = and(inIds(id, ids), whereNewlyStale(now, projectId));
  return {
    holds: sql`(SELECT count(*) FROM ${flags} WHERE ${newlyStale}) = ${ids.length}`,
    error: staleRow,
  };
}

/** Marks flags as stale. Keeps `version` and `updatedAt`, because a mark does not change the flag. */
export const markStale = (ids: readonly number[]) =>
  write
    .update(flags)
    .set({ staleMarkedFor: sql`${flags.updatedAt}` })
    .where(inIds(flags.id, ids));
