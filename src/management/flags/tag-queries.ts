import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../../db/commit.ts";
import type { ReadDb } from "../../db/database.ts";
import type { ChangedRows } from "../changed-rows.ts";
import type { AttachedTag, TagInput } from "./attached-tags.ts";

/**
 * The colour of a new tag, a neutral grey. The service creates a tag when a request gives a flag a
 * tag name that is new in the project.
 */
const NEW_TAG_COLOR = "#868e96";

/**
 * Returns the SQL expression for the number of tags that a project has, plus those that a change
 * adds but one. 0 if the change adds none. `names` are the tags that the change attaches by name.
 */
export function tagsAfter(projectId: number, created: number, names: readonly string[]): SQL {
  const added = sql`(${created} + (SELECT count(*) FROM json_each(${JSON.stringify(names)}) j WHERE NOT EXISTS
    (SELECT 1 FROM tags t WHERE t.project_id = ${projectId} AND t.name = j.value)))`;
  return sql`SELECT CASE WHEN ${added} = 0 THEN 0 ELSE ${added} - 1 +
    (SELECT count(*) FROM tags WHERE project_id = ${projectId}) END`;
}

interface TaggedFlag {
  readonly id: number;
  readonly attachedTags: readonly AttachedTag[];
}

const isSameTag = (a: AttachedTag, b: AttachedTag) => a.name === b.name && a.value === b.value;

/** Returns the tags of a list that another list does not have. */
const missingIn = (others: readonly AttachedTag[], list: readonly AttachedTag[]) =>
  list.filter((one) => !others.some((tag) => isSameTag(tag, one)));

/**
 * Returns the statements that remove and add the tags of flags. A tag that is attached by its name
 * is created if the project does not have it. `names`: the tags that are attached by name.
 */
export function changeTags(
  projectId: number,
  { created, updated }: ChangedRows<TaggedFlag>,
  now: number,
) {
  const removed = updated.flatMap(({ before, after }) =>
    missingIn(after.attachedTags, before.attachedTags).map(({ tagId, value }) => [
      after.id,
      tagId,
      value,
    ]),
  );
  const added = [
    ...created.map((after) => ({ before: { attachedTags: [] }, after })),
    ...updated,
  ].flatMap(({ before, after }) =>
    missingIn(before.attachedTags, after.attachedTags).map(({ tagId, name, value }) => ({
      flagId: after.id,
      tagId,
      name,
      value,
    })),
  );
  const names = [...new Set(added.flatMap(({ tagId, name }) => (tagId === null ? name : [])))];
  const remove: Statement[] =
    removed.length === 0
      ? []
      : [
          sql`DELETE FROM flag_tags WHERE (flag_id, tag_id, value) IN
            (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${JSON.stringify(removed)}))`,
        ];
  const add: Statement[] = [
    ...(names.length === 0
      ? []
      : [
          sql`INSERT INTO tags (project_id, name, color, created_at)
            SELECT ${projectId}, value, ${NEW_TAG_COLOR}, ${now} FROM json_each(${JSON.stringify(names)})
            WHERE true ON CONFLICT (project_id, name) DO NOTHING`,
        ]),
    ...(added.length === 0
      ? []
      : [
          sql`INSERT INTO flag_tags (flag_id, tag_id, value)
            SELECT j.value ->> 'flagId', coalesce(j.value ->> 'tagId', t.id), j.value ->> 'value'
            FROM json_each(${JSON.stringify(added)}) j
            LEFT JOIN tags t ON t.project_id = ${projectId} AND t.name = j.value ->> 'name'
            WHERE true ON CONFLICT DO NOTHING`,
        ]),
  ];
  return { remove, add, names };
}

/** Returns the values of the requested tags, given by id, that the project does not have. */
export async function missingTags(
  db: ReadDb,
  projectId: number,
  tags: readonly TagInput[],
): Promise<string[]> {
  const byId = tags.filter((tag) => typeof tag !== "string");
  if (byId.length === 0) return [];
  const rows = await db
    .select({ value: sql<string>`j.value ->> 'value'` })
    .from(sql`json_each(${JSON.stringify(byId)}) j`)
    .where(
      sql`NOT EXISTS (SELECT 1 FROM tags t
        WHERE t.id = j.value ->> 'tagId' AND t.project_id = ${projectId})`,
    );
  return rows.map(({ value }) => value);
}
