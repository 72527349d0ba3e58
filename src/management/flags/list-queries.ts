import { and, asc, desc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { ReadDb } from "../../db/database.ts";
import {
  environments,
  type FlagType,
  flags,
  flagTags,
  strategies,
  strategySegments,
  tags,
} from "../../db/schema/projects.ts";
import { flagColumns } from "./queries.ts";
import { whereStale } from "./stale.ts";

export interface FlagFilter {
  readonly projectId?: number | undefined;
  readonly includeArchived: boolean;
  /** The archived or the living ones alone, whatever `includeArchived` says. */
  readonly archived?: boolean | undefined;
  readonly stale?: boolean | undefined;
  /** The moment at which a flag is stale or not, epoch milliseconds. */
  readonly now: number;
  /** Part of the key or the name, in any case. */
  readonly search?: string | undefined;
  /** The name of a tag, or its value on the flag. */
  readonly tag?: string | undefined;
  readonly flagType?: FlagType | undefined;
  /** Of a segment that a strategy of the flag uses, in whatever environment. */
  readonly segmentId?: number | undefined;
  /** What the strategy in `environmentId` says; without a row of its own it is off (decisions 2.4). */
  readonly state?: "on" | "off" | undefined;
  readonly environmentId?: number | undefined;
}

/** Names and keys as people sort them: their case does not matter. */
const sortable = {
  name: sql`${flags.name} COLLATE NOCASE`,
  key: sql`${flags.key} COLLATE NOCASE`,
  createdAt: flags.createdAt,
  updatedAt: flags.updatedAt,
  lastUsedAt: flags.lastUsedAt,
};

export interface FlagOrder {
  readonly by: keyof typeof sortable;
  readonly descending: boolean;
}

/** By id where nothing else is asked for; and last of all, so that no page repeats a flag. */
function ordered(order: FlagOrder | undefined): SQL[] {
  if (!order) return [asc(flags.id)];
  const direction = order.descending ? desc : asc;
  return [sql`${direction(sortable[order.by])} NULLS LAST`, asc(flags.id)];
}

/** Tags and the rest are read for what the page shows, and for nothing that is sorted behind it. */
export function pageOfFlags(
  db: ReadDb,
  filter: FlagFilter,
  order: FlagOrder | undefined,
  limit: number,
  offset: number,
) {
  const ids = db
    .select({ id: flags.id })
    .from(flags)
    .where(matching(filter))
    .orderBy(...ordered(order))
    .limit(limit)
    .offset(offset);
  return db
    .select(flagColumns)
    .from(flags)
    .where(inArray(flags.id, ids))
    .orderBy(...ordered(order));
}

export async function countMatchingFlags(db: ReadDb, filter: FlagFilter): Promise<number> {
  const count = sql<number>`count(*)`;
  return (await db.select({ count }).from(flags).where(matching(filter)))[0]?.count ?? 0;
}

function matching(filter: FlagFilter): SQL | undefined {
  const { projectId, includeArchived, stale, now, search, tag, flagType, segmentId } = filter;
  const archived = filter.archived ?? (includeArchived ? undefined : false);
  // instr, not LIKE: D1 limits a LIKE pattern to 50 bytes, and its wildcards would need escaping.
  const contains = (column: SQL) => sql`instr(${column}, lower(${search})) > 0`;
  return and(
    projectId === undefined ? undefined : eq(flags.projectId, projectId),
    archived === undefined ? undefined : eq(flags.archived, archived),
    stale === undefined ? undefined : stale ? whereStale(now) : sql`NOT ${whereStale(now)}`,
    flagType === undefined ? undefined : eq(flags.flagType, flagType),
    search === undefined
      ? undefined
      : or(contains(sql`lower(${flags.key})`), contains(sql`lower(${flags.name})`)),
    tag === undefined
      ? undefined
      : sql`EXISTS (SELECT 1 FROM ${flagTags} JOIN ${tags} ON ${tags.id} = ${flagTags.tagId}
          WHERE ${flagTags.flagId} = ${flags.id} AND (${tags.name} = ${tag} OR ${flagTags.value} = ${tag}))`,
    segmentId === undefined
      ? undefined
      : sql`${flags.id} IN (SELECT ${strategySegments.flagId} FROM ${strategySegments}
          WHERE ${strategySegments.segmentId} = ${segmentId})`,
    inState(filter),
  );
}

/** The project is named, too: a flag is neither on nor off in an environment of another one. */
function inState({ state, environmentId }: FlagFilter): SQL | undefined {
  if (state === undefined || environmentId === undefined) return undefined;
  const on = sql`EXISTS (SELECT 1 FROM ${strategies} WHERE ${strategies.flagId} = ${flags.id}
    AND ${strategies.environmentId} = ${environmentId} AND ${strategies.enabled} = 1)`;
  return and(
    sql`${flags.projectId} = (SELECT ${environments.projectId} FROM ${environments}
      WHERE ${environments.id} = ${environmentId})`,
    state === "on" ? on : sql`NOT ${on}`,
  );
}
