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
  /** Only archived flags, or only flags that are not. Takes precedence over `includeArchived`. */
  readonly archived?: boolean | undefined;
  readonly stale?: boolean | undefined;
  /** The time at which staleness is judged, in epoch milliseconds. */
  readonly now: number;
  /** Part of the key or the name, case-insensitive. */
  readonly search?: string | undefined;
  /** The name of a tag, or the value that the flag has for a tag. */
  readonly tag?: string | undefined;
  readonly flagType?: FlagType | undefined;
  /** A segment that a strategy of the flag uses, in any environment. */
  readonly segmentId?: number | undefined;
  /** Whether the strategy in `environmentId` is enabled. A strategy that was never set is off. */
  readonly state?: "on" | "off" | undefined;
  readonly environmentId?: number | undefined;
}

/** Names and keys sort case-insensitively. */
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

/** Which part of the sorted list to read. */
export interface FlagSlice {
  readonly order: FlagOrder | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** By id unless `order` is given. The id also breaks ties, so that no flag is on two pages. */
function ordered(order: FlagOrder | undefined): SQL[] {
  if (!order) return [asc(flags.id)];
  const direction = order.descending ? desc : asc;
  return [sql`${direction(sortable[order.by])} NULLS LAST`, asc(flags.id)];
}

/**
 * One page of flags. The inner query finds the page's ids, so that tags and states are computed for
 * these flags alone and not for every flag that is sorted.
 */
export function pageOfFlags(db: ReadDb, filter: FlagFilter, slice: FlagSlice) {
  const { order, limit, offset } = slice;
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

/** Compares the project, too: a flag has no state in an environment of another project. */
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
