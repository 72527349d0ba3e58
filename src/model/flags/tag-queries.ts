import type { Pausing } from "@feature-flags/evaluation/pausing";
import { sql } from "drizzle-orm";
import { jsonChunkSteps, jsonRows } from "../../db/json-list.ts";
import type { Statement } from "../../db/commit.ts";
import type { ReadDb } from "../../db/database.ts";
import type { ChangedRows } from "../../db/changed-rows.ts";
import type { AttachedTag, TagInput } from "./attached-tags.ts";

interface TaggedFlag {
  readonly id: number;
  readonly attachedTags: readonly AttachedTag[];
}

const isSameTag = (a: AttachedTag, b: AttachedTag) => a.tagId === b.tagId && a.value === b.value;

/** Returns the tags of a list that another list does not have. */
const missingIn = (others: readonly AttachedTag[], list: readonly AttachedTag[]) =>
  list.filter((one) => !others.some((tag) => isSameTag(tag, one)));

export function* changeTags({
  created,
  updated,
}: ChangedRows<TaggedFlag>): Pausing<{ readonly remove: Statement[]; readonly add: Statement[] }> {
  const removed = updated.flatMap(({ before, after }) =>
    rowsOf(after.id, missingIn(after.attachedTags, before.attachedTags)),
  );
  const added = [
    ...created.flatMap(({ id, attachedTags }) => rowsOf(id, attachedTags)),
    ...updated.flatMap(({ before, after }) =>
      rowsOf(after.id, missingIn(before.attachedTags, after.attachedTags)),
    ),
  ];
  const remove = (yield* jsonChunkSteps(removed)).map(
    (rows) => sql`DELETE FROM flag_tags WHERE (flag_id, tag_id, value) IN
      (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${rows}))`,
  );
  const add = (yield* jsonChunkSteps(added)).map(
    (rows) => sql`INSERT INTO flag_tags (flag_id, tag_id, value)
      SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${rows})
      WHERE true ON CONFLICT DO NOTHING`,
  );
  return { remove, add };
}

const rowsOf = (flagId: number, tags: readonly AttachedTag[]) =>
  tags.map(({ tagId, value }) => [flagId, tagId, value]);

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
    .from(sql`${jsonRows(byId)} j`)
    .where(
      sql`NOT EXISTS (SELECT 1 FROM tags t
        WHERE t.id = j.value ->> 'tagId' AND t.project_id = ${projectId})`,
    );
  return rows.map(({ value }) => value);
}
