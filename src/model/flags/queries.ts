import { and, asc, eq, getTableColumns, type SQL, sql, type SQLWrapper } from "drizzle-orm";
import type { FlagPrerequisite } from "../../core/flags/prerequisites.ts";
import type { Variant } from "../../core/flags/variants.ts";
import type { ReadDb } from "../../db/database.ts";
import {
  ownerIdsExpression,
  prerequisitesExpression,
  variantsExpression,
} from "../../db/flag-columns.ts";
import { fromJson, inList } from "../../db/json-list.ts";
import type { ActorKind } from "../../db/schema/records.ts";
import { contextDefinitions, flags, flagTags, segments, tags } from "../../db/schema/projects.ts";
import { segmentUses } from "../../db/segment-uses.ts";
import { inIds } from "../../db/ids.ts";
import { strategyBytes } from "../strategies/queries.ts";
import type { AttachedTag } from "./attached-tags.ts";
import { staleDays } from "./staleness.ts";

const { ruleBytes: _, ...storedColumns } = getTableColumns(flags);

/**
 * The columns that every SELECT of a flag returns: those of the table `flags` except its size, and
 * those that SQLite computes.
 */
export const flagColumns = {
  ...storedColumns,
  variants: fromJson(sql<readonly Variant[]>`${sql.raw(variantsExpression("flags"))}`),
  staleDays: staleDays().mapWith(Number),
  /**
   * Whether the flag is not archived and is enabled in at least one environment
   * (docs/build/decisions.md,
   * 2.2).
   */
  enabled: sql<boolean>`(${flags.archived} = 0 AND EXISTS (SELECT 1 FROM strategies s
    WHERE s.flag_id = ${flags.id} AND s.enabled = 1))`.mapWith(Boolean),
  tags: fromJson(sql<
    string[]
  >`(SELECT json_group_array(value) FROM (SELECT DISTINCT ft.value FROM flag_tags ft
    WHERE ft.flag_id = ${flags.id} ORDER BY ft.value))`),
  /** The ids of the users who are responsible for the flag, in ascending order. */
  ownerIds: fromJson(sql<readonly number[]>`${sql.raw(ownerIdsExpression("flags"))}`),
  prerequisites: fromJson(
    sql<readonly FlagPrerequisite[]>`${sql.raw(prerequisitesExpression("flags"))}`,
  ),
  /** The keys of the flags that require the flag, without archived flags. */
  requiredBy: fromJson(sql<string[]>`(SELECT json_group_array(key)
    FROM (SELECT d.key FROM flag_prerequisites p JOIN flags d ON d.id = p.flag_id
      WHERE p.required_flag_id = flags.id AND d.archived = 0 ORDER BY d.key))`),
};

/** The user or API key that changed a flag or one of its strategies last, and the time of the change. */
export interface LastEditor {
  readonly at: number;
  readonly kind: ActorKind;
  /** Null if the service itself changed the flag. */
  readonly id: number | null;
  /** The name of a user or of an API key. For a deleted user, the e-mail address. */
  readonly name: string;
}

/**
 * How much later than `updated_at` the audit record of a change can be, milliseconds: at most the
 * time of a request.
 */
const REQUEST_MS = 60_000;

/**
 * The columns of a flag with its last change, as JSON; null if there is no record of this change. The
 * search starts at `updated_at`, so that it reads the last records of a flag and none of other
 * resources that have the same id.
 */
export const columnsWithLastChange = {
  ...flagColumns,
  lastChange: sql<LastEditor | null>`(SELECT json_object('at', a.at, 'kind', a.actor_kind,
      'id', a.actor_id, 'name', coalesce(u.name, a.actor_name))
    FROM audit a LEFT JOIN users u ON a.actor_kind = 'user' AND u.id = a.actor_id
    WHERE a.entity_id = flags.id AND a.entity_type = 'flag'
      AND a.at BETWEEN flags.updated_at AND flags.updated_at + ${REQUEST_MS}
    ORDER BY a.at DESC, a.id DESC LIMIT 1)`.mapWith(
    (json: string) => JSON.parse(json) as LastEditor,
  ),
};

export type FlagRow = Omit<FlagWithTags, "attachedTags">;

export type FlagWithTags = NonNullable<Awaited<ReturnType<typeof findFlag>>>;

export const columnsWithTags = {
  ...flagColumns,
  // Writes the table name out, because drizzle renders `flags.id` without it, which would be the id
  // of the tag here.
  attachedTags: fromJson(sql<
    AttachedTag[]
  >`(SELECT json_group_array(json_object('tagId', tag_id, 'name', name, 'value', value)) FROM
    (SELECT ft.tag_id, t.name, ft.value FROM flag_tags ft JOIN tags t ON t.id = ft.tag_id
    WHERE ft.flag_id = flags.id ORDER BY ft.value, ft.tag_id))`),
};

export async function findFlag(db: ReadDb, id: number) {
  return (await db.select(columnsWithTags).from(flags).where(eq(flags.id, id)))[0];
}

export async function findFlagByKey(
  db: ReadDb,
  projectId: number,
  key: string,
): Promise<FlagWithTags | undefined> {
  const isFlag = and(eq(flags.projectId, projectId), eq(flags.key, key));
  return (await db.select(columnsWithTags).from(flags).where(isFlag))[0];
}

/** Returns the keys of at most `limit` flags of a project that are not archived. */
export async function keysOf(db: ReadDb, projectId: number, limit: number): Promise<string[]> {
  const rows = await db
    .select({ key: flags.key })
    .from(flags)
    .where(and(eq(flags.projectId, projectId), eq(flags.archived, false)))
    .orderBy(asc(flags.id))
    .limit(limit);
  return rows.map(({ key }) => key);
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

/** Returns the SQL expression for the size of flags in a list, without their strategies, bytes. */
export const listedBytes = (flagIds: SQLWrapper): SQL =>
  sql`(SELECT coalesce(sum(coalesce(octet_length(description), 0) + coalesce(octet_length(variants), 0)
      + coalesce(octet_length(value_schema), 0)), 0)
    FROM flags WHERE id IN ${flagIds})`;

/**
 * Returns the SQL expression for the size of flags in a list with all their environments, and with
 * the segments of each flag, bytes.
 */
export function enrichedBytes(flagIds: readonly number[]): SQL {
  const ids = inList(flagIds);
  return sql`(${listedBytes(ids)} + ${strategyBytes(ids)} +
    (SELECT coalesce(sum(octet_length(g.constraints)), 0)
      FROM (SELECT DISTINCT flag_id, segment_id FROM ${segmentUses(sql`flag_id IN ${ids}`)}) u
      JOIN segments g ON g.id = u.segment_id))`;
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
