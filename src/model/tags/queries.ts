import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import { type ReadDb } from "../../db/database.ts";
import { tags } from "../../db/schema/projects.ts";
import { countIf } from "../../db/counts.ts";
import { isListed, type Listed } from "../../db/project-filter.ts";

export type TagRow = typeof tags.$inferSelect;

/** A tag in a list, with the number of flags that have the tag. Null if it was not counted. */
export interface ListedTag extends TagRow {
  readonly flagCount: number | null;
}

export async function findTag(db: ReadDb, id: number): Promise<TagRow | undefined> {
  return (await db.select().from(tags).where(eq(tags.id, id)))[0];
}

/** The number of flags that have a tag, without archived flags. */
const FLAG_COUNT = `SELECT count(DISTINCT ft.flag_id) FROM flag_tags ft JOIN flags f ON f.id = ft.flag_id
  WHERE ft.tag_id = tags.id AND f.archived = 0`;

export function listTags(db: ReadDb, listed: Listed, counts: boolean) {
  const columns = { ...getTableColumns(tags), flagCount: countIf(counts, FLAG_COUNT) };
  return db
    .select(columns)
    .from(tags)
    .where(isListed(tags.projectId, listed))
    .orderBy(asc(tags.id));
}

export const countTags = (projectId: number) =>
  sql`SELECT count(*) FROM ${tags} WHERE ${tags.projectId} = ${projectId}`;
