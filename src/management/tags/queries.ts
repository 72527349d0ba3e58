import { and, asc, eq, sql } from "drizzle-orm";
import { type ReadDb, write } from "../../db/database.ts";
import { tags } from "../../db/schema/projects.ts";

export type TagRow = typeof tags.$inferSelect;

export async function findTag(db: ReadDb, id: number): Promise<TagRow | undefined> {
  return (await db.select().from(tags).where(eq(tags.id, id)))[0];
}

export async function findTagByName(db: ReadDb, projectId: number, name: string) {
  const where = and(eq(tags.projectId, projectId), eq(tags.name, name));
  return (await db.select().from(tags).where(where))[0];
}

/** Returns the tags of one project, or of all projects if `projectId` is undefined. */
export function listTags(db: ReadDb, projectId: number | undefined) {
  const where = projectId === undefined ? undefined : eq(tags.projectId, projectId);
  return db.select().from(tags).where(where).orderBy(asc(tags.id));
}

export const countTags = (projectId: number) =>
  sql`SELECT count(*) FROM ${tags} WHERE ${tags.projectId} = ${projectId}`;

export const tagIdByName = (projectId: number, name: string) =>
  sql`(SELECT id FROM tags WHERE project_id = ${projectId} AND name = ${name})`;

export const insertTag = (tag: typeof tags.$inferInsert) => write.insert(tags).values(tag);

/**
 * The statement that updates the name and colour of a tag. The values that flags have for the tag
 * do not change.
 */
export const updateTag = (id: number, change: { name: string; color: string }) =>
  write
    .update(tags)
    .set({ ...change, version: sql`${tags.version} + 1` })
    .where(eq(tags.id, id));

/**
 * The statement that deletes a tag. A foreign key of `flag_tags` detaches the tag from its flags.
 */
export const deleteTag = (id: number) => write.delete(tags).where(eq(tags.id, id));
