import { and, asc, eq, getTableColumns, sql } from "drizzle-orm";
import { type ReadDb, write } from "../../db/database.ts";
import { contextDefinitions, flags, flagTags, segments, tags } from "../../db/schema/projects.ts";
import { inIds } from "../ids.ts";

/**
 * The columns that every SELECT of a flag returns: those of the table `flags`, and two that SQLite
 * computes.
 */
export const flagColumns = {
  ...getTableColumns(flags),
  /**
   * Whether the flag is not archived and is enabled in at least one environment (docs/decisions.md,
   * 2.2).
   */
  enabled: sql<boolean>`(${flags.archived} = 0 AND EXISTS (SELECT 1 FROM strategies s
    WHERE s.flag_id = ${flags.id} AND s.enabled = 1))`.mapWith(Boolean),
  tags: sql<
    string[]
  >`(SELECT json_group_array(value) FROM (SELECT DISTINCT ft.value FROM flag_tags ft
    WHERE ft.flag_id = ${flags.id} ORDER BY ft.value))`.mapWith((text: string) => JSON.parse(text)),
};

export type FlagRow = NonNullable<Awaited<ReturnType<typeof findFlagByKey>>>;

export async function findFlag(db: ReadDb, id: number): Promise<FlagRow | undefined> {
  return (await db.select(flagColumns).from(flags).where(eq(flags.id, id)))[0];
}

export async function findFlagByKey(db: ReadDb, projectId: number, key: string) {
  const where = and(eq(flags.projectId, projectId), eq(flags.key, key));
  return (await db.select(flagColumns).from(flags).where(where))[0];
}

export function tagsOf(db: ReadDb, flagIds: readonly number[]) {
  return db
    .select({
      flagId: flagTags.flagId,
      value: flagTags.value,
      id: tags.id,
      name: tags.name,
      color: tags.color,
    })
    .from(flagTags)
    .innerJoin(tags, eq(tags.id, flagTags.tagId))
    .where(inIds(flagTags.flagId, flagIds))
    .orderBy(asc(flagTags.flagId), asc(flagTags.value));
}

export function segmentsByIds(db: ReadDb, ids: readonly number[]) {
  return db.select().from(segments).where(inIds(segments.id, ids)).orderBy(asc(segments.id));
}

export function contextsOfProjects(db: ReadDb, projectIds: readonly number[]) {
  return db
    .select()
    .from(contextDefinitions)
    .where(inIds(contextDefinitions.projectId, projectIds))
    .orderBy(asc(contextDefinitions.id));
}

export const countFlags = (projectId: number) =>
  sql`SELECT count(*) FROM ${flags} WHERE ${flags.projectId} = ${projectId}`;

export const flagIdByKey = (projectId: number, key: string) =>
  sql`(SELECT id FROM flags WHERE project_id = ${projectId} AND key = ${key})`;

export const insertFlag = (flag: typeof flags.$inferInsert) => write.insert(flags).values(flag);

export const updateFlag = (
  id: number,
  change: { name?: string; description?: string | null; archived?: boolean; updatedAt: number },
) =>
  write
    .update(flags)
    .set({ ...change, version: sql`${flags.version} + 1` })
    .where(eq(flags.id, id));

export const deleteFlag = (id: number) => write.delete(flags).where(eq(flags.id, id));
