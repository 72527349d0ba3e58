import { type SQL, sql } from "drizzle-orm";
import { notFound } from "../../core/errors/api-error.ts";
import type { Guard, Statement } from "../../db/commit.ts";
import type { ReadDb } from "../../db/database.ts";
import { jsonList } from "../../db/json-list.ts";
import type { AttachedTag } from "./queries.ts";

/**
 * A tag of a flag in a request: an object with the tag's id and a value, or a string that is both
 * the tag's name and the value (docs/decisions.md, 2.3).
 */
export type TagInput = string | { readonly tagId: number; readonly value: string };

/** The greatest number of tags of a flag. */
export const MAX_TAGS = 50;

/**
 * The colour of a new tag, a neutral grey. The service creates a tag when a request gives a flag a
 * tag name that is new in the project.
 */
const NEW_TAG_COLOR = "#868e96";

const namesOf = (tags: readonly TagInput[]) =>
  JSON.stringify([...new Set(tags.filter((tag) => typeof tag === "string"))]);
const idsOf = (tags: readonly TagInput[]) =>
  JSON.stringify(tags.flatMap((tag) => (typeof tag === "string" ? [] : tag.tagId)));

/**
 * Returns the guards for the tags in a request that writes a flag. Tags given by id must exist in
 * the project. Tags created by name must fit into the quota of tags.
 */
export function tagGuards(projectId: number, tags: readonly TagInput[]): Guard[] {
  if (tags.length === 0) return [];
  const created = sql`SELECT count(*) FROM json_each(${namesOf(tags)}) j WHERE NOT EXISTS
    (SELECT 1 FROM tags t WHERE t.project_id = ${projectId} AND t.name = j.value)`;
  return [
    {
      holds: sql`NOT EXISTS (SELECT 1 FROM json_each(${idsOf(tags)}) j WHERE NOT EXISTS
        (SELECT 1 FROM tags t WHERE t.id = j.value AND t.project_id = ${projectId}))`,
      error: notFound("A tag does not exist in the flag's project"),
    },
    {
      quota: "TAGS",
      count: sql`SELECT CASE WHEN (${created}) = 0 THEN 0 ELSE (${created}) - 1 +
        (SELECT count(*) FROM tags WHERE project_id = ${projectId}) END`,
    },
  ];
}

/** Returns the statement that creates a tag for every name that is new in the project. */
const createNamedTags = (projectId: number, tags: readonly TagInput[], now: number): Statement =>
  sql`INSERT INTO tags (project_id, name, color, created_at)
    SELECT ${projectId}, value, ${NEW_TAG_COLOR}, ${now} FROM json_each(${namesOf(tags)})
    WHERE true ON CONFLICT (project_id, name) DO NOTHING`;

/**
 * Returns the statements that attach tags to the flag with the given key. They create a tag for
 * every name that is new in the project.
 */
export function attachTags(
  flag: { readonly projectId: number; readonly key: string },
  tags: readonly TagInput[],
  now: number,
): Statement[] {
  if (tags.length === 0) return [];
  const { projectId, key } = flag;
  const attached = tags.map((tag) =>
    typeof tag === "string" ? { tagId: null, name: tag, value: tag } : { ...tag, name: null },
  );
  return [
    createNamedTags(projectId, tags, now),
    sql`INSERT INTO flag_tags (flag_id, tag_id, value)
      SELECT f.id, t.id, j.value ->> 'value' FROM json_each(${JSON.stringify(attached)}) j
      JOIN flags f ON f.project_id = ${projectId} AND f.key = ${key}
      JOIN tags t ON t.project_id = f.project_id
        AND (t.id = j.value ->> 'tagId' OR t.name = j.value ->> 'name')
      WHERE true ON CONFLICT DO NOTHING`,
  ];
}

/**
 * Returns the tags of a flag before and after they are replaced by `wanted`, for an audit record. A
 * tag whose value is its name is a string. Both lists are equal if `wanted` names exactly the
 * attached tags, in any order.
 */
export function replacedTags(
  attached: readonly AttachedTag[],
  wanted: readonly TagInput[],
): { readonly before: readonly TagInput[]; readonly after: readonly TagInput[] } {
  const before = attached.map(inputOf);
  const indexes = wanted.map((tag) => attached.findIndex((one) => isAttachedAs(one, tag)));
  const keepsAll = !indexes.includes(-1) && new Set(indexes).size === attached.length;
  return {
    before,
    after: keepsAll ? before : wanted.map((tag, n) => before[indexes[n] ?? -1] ?? tag),
  };
}

/** Returns the tags of a flag before and after one tag is added or removed, for an audit record. */
export function changedTags(attached: readonly AttachedTag[], tag: TagInput, isAdded: boolean) {
  const before = attached.map(inputOf);
  const others = attached.filter((one) => !isAttachedAs(one, tag)).map(inputOf);
  return { before, after: isAdded ? [...before, tag] : others };
}

/** Returns whether a flag has this tag with this value. */
export const hasTag = (attached: readonly AttachedTag[], tag: TagInput): boolean =>
  attached.some((one) => isAttachedAs(one, tag));

const inputOf = ({ tagId, name, value }: AttachedTag): TagInput =>
  name === value ? value : { tagId, value };

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

const isAttachedAs = ({ tagId, name, value }: AttachedTag, tag: TagInput): boolean =>
  typeof tag === "string"
    ? name === tag && value === tag
    : tagId === tag.tagId && value === tag.value;

/** Returns the statement that copies the tags of a source flag to a new flag. */
export const copyTags = (sourceId: number, flagId: SQL): Statement =>
  sql`INSERT INTO flag_tags (flag_id, tag_id, value)
    SELECT ${flagId}, tag_id, value FROM flag_tags WHERE flag_id = ${sourceId}`;

/** A tag that a bulk change adds to many flags of a project, or removes from them. */
interface TagOfFlags {
  readonly projectId: number;
  readonly flagIds: readonly number[];
  readonly tag: TagInput;
}

/** Returns the SQL subquery of the id of a tag in a request. */
const idOf = (projectId: number, tag: TagInput) =>
  typeof tag === "string"
    ? sql`(SELECT id FROM tags WHERE project_id = ${projectId} AND name = ${tag})`
    : sql`(SELECT id FROM tags WHERE project_id = ${projectId} AND id = ${tag.tagId})`;

const valueOf = (tag: TagInput) => (typeof tag === "string" ? tag : tag.value);

/** Returns the statements that attach a tag to flags, and create it if its name is new. */
export const attachTag = ({ projectId, flagIds, tag }: TagOfFlags, now: number): Statement[] => [
  createNamedTags(projectId, [tag], now),
  sql`INSERT INTO flag_tags (flag_id, tag_id, value)
    SELECT value, ${idOf(projectId, tag)}, ${valueOf(tag)} FROM json_each(${JSON.stringify(flagIds)})
    WHERE true ON CONFLICT DO NOTHING`,
];

export const detachTag = ({ projectId, flagIds, tag }: TagOfFlags): Statement =>
  sql`DELETE FROM flag_tags WHERE flag_id IN ${jsonList(flagIds)}
    AND tag_id = ${idOf(projectId, tag)} AND value = ${valueOf(tag)}`;

export const detachTags = (flagId: number): Statement =>
  sql`DELETE FROM flag_tags WHERE flag_id = ${flagId}`;
