import { and, asc, eq, sql } from "drizzle-orm";
import { type ReadDb, write } from "../../db/database.ts";
import { isListed, type Listed } from "../../db/project-filter.ts";
import { sharedFilters } from "../../db/schema/preferences.ts";

export type SharedFilterRow = typeof sharedFilters.$inferSelect;

/** The most shared filters of a project: as many as a user can save. */
export const MAX_SHARED = 50;

export async function findSharedFilter(
  db: ReadDb,
  id: number,
): Promise<SharedFilterRow | undefined> {
  return (await db.select().from(sharedFilters).where(eq(sharedFilters.id, id)))[0];
}

export async function findSharedFilterByName(db: ReadDb, projectId: number, name: string) {
  const where = and(eq(sharedFilters.projectId, projectId), eq(sharedFilters.name, name));
  return (await db.select().from(sharedFilters).where(where))[0];
}

export const listSharedFilters = (db: ReadDb, listed: Listed): Promise<SharedFilterRow[]> =>
  db
    .select()
    .from(sharedFilters)
    .where(isListed(sharedFilters.projectId, listed))
    .orderBy(asc(sharedFilters.id));

export const countSharedFilters = (projectId: number) =>
  sql`SELECT count(*) FROM shared_filters WHERE project_id = ${projectId}`;

export const sharedFilterIdByName = (projectId: number, name: string) =>
  sql`(SELECT id FROM shared_filters WHERE project_id = ${projectId} AND name = ${name})`;

export const insertSharedFilter = (row: typeof sharedFilters.$inferInsert) =>
  write.insert(sharedFilters).values(row);

export const updateSharedFilter = (
  id: number,
  change: Pick<SharedFilterRow, "name" | "query" | "updatedAt">,
) =>
  write
    .update(sharedFilters)
    .set({ ...change, version: sql`${sharedFilters.version} + 1` })
    .where(eq(sharedFilters.id, id));

export const deleteSharedFilter = (id: number) =>
  write.delete(sharedFilters).where(eq(sharedFilters.id, id));
