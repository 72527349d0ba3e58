import { and, asc, desc, eq, inArray, not, type SQL, sql, type SQLWrapper } from "drizzle-orm";
import { compareNames } from "../../core/lib/names.ts";
import type { FlagClients } from "../../core/flags/variants.ts";
import type { ReadDb } from "../../db/database.ts";
import { userPreferences } from "../../db/schema/preferences.ts";
import {
  environments,
  type FlagType,
  flags,
  flagTags,
  strategies,
  tags,
} from "../../db/schema/projects.ts";
import { comparedContent } from "../../db/strategy-columns.ts";
import { usesSegment } from "../../db/segment-uses.ts";
import { inList } from "../../db/json-list.ts";
import { isListed, type Visible } from "../../db/project-filter.ts";
import { containsText } from "../../db/contains.ts";
import { isOwnedBy } from "./owner-queries.ts";
import { columnsWithLastChange, flagColumns, listedBytes } from "./queries.ts";
import { whereStale } from "./staleness.ts";

export interface FlagFilter extends Partial<Visible> {
  readonly projectId?: number | undefined;
  readonly includeArchived: boolean;
  /**
   * True selects only archived flags, false only flags that are not archived. Takes precedence over
   * `includeArchived`.
   */
  readonly archived?: boolean | undefined;
  readonly stale?: boolean | undefined;
  /** The current time in epoch milliseconds, which decides whether a flag is stale. */
  readonly now: number;
  /** Selects flags whose key or name contains each word of this text. Case is ignored. */
  readonly search?: string | undefined;
  /** Selects flags that have a tag of one of these names, or one of these values for any of their tags. */
  readonly tag?: readonly string[] | undefined;
  /** Selects flags that `tag` would not select. The other filters with `not` do the same. */
  readonly notTag?: readonly string[] | undefined;
  readonly flagType?: FlagType | undefined;
  readonly clients?: FlagClients | undefined;
  /** Selects flags whose strategy or ordered rules use one of these segments in an environment. */
  readonly segmentId?: readonly number[] | undefined;
  readonly notSegmentId?: readonly number[] | undefined;
  /**
   * Selects flags whose strategy in `environmentId` is enabled (`on`) or not enabled (`off`). A
   * strategy that was never set is not enabled.
   */
  readonly state?: "on" | "off" | undefined;
  readonly environmentId?: number | undefined;
  /** Selects flags that `state` would select in each of these environments. */
  readonly onIn?: readonly number[] | undefined;
  readonly offIn?: readonly number[] | undefined;
  /**
   * Selects flags whose strategies in `environmentId` and in this environment of the same project
   * are stored with different contents. Different contents can have the same effect, such as the
   * same segments in another order.
   */
  readonly differsFrom?: number | undefined;
  readonly favouriteOf?: number | undefined;
  /** Selects flags of which one of these users is an owner. */
  readonly ownerId?: readonly number[] | undefined;
  readonly notOwnerId?: readonly number[] | undefined;
}

/**
 * Returns the terms that sort ASCII texts without regard to case, and by the number
 * at their end: "Flag 10" is after "Flag 9". SQLite has no collation for numbers inside of texts.
 */
function natural(column: SQLWrapper): SQL[] {
  const start = sql`rtrim(${column}, '0123456789')`;
  const number = sql`CAST(substr(${column}, length(${start}) + 1) AS INTEGER)`;
  return [sql`${start} COLLATE NOCASE`, number, sql`${column} COLLATE NOCASE`];
}

/** The terms by which a list of flags can be sorted. */
const sortable = {
  name: natural(flags.name),
  key: natural(flags.key),
  createdAt: [flags.createdAt],
  updatedAt: [flags.updatedAt],
  lastUsedAt: [flags.lastUsedAt],
};

export interface FlagOrder {
  readonly by: keyof typeof sortable;
  readonly descending: boolean;
}

/** Which page of the sorted list of flags to read. */
export interface FlagSlice {
  /** The ids on the page, if `idsByName` has chosen them. Otherwise SQL chooses them. */
  readonly ids?: readonly number[] | undefined;
  readonly order: FlagOrder | undefined;
  readonly limit: number;
  readonly offset: number;
}

/**
 * Returns the terms of `ORDER BY`: the given order, then the id of the flag. The id makes the order
 * unique, so that no flag is on two pages of an unchanged list.
 */
function ordered(order: FlagOrder | undefined): SQL[] {
  if (!order) return [asc(flags.id)];
  const direction = order.descending ? desc : asc;
  const terms = sortable[order.by].map((term) => sql`${direction(term)} NULLS LAST`);
  return [...terms, asc(flags.id)];
}

/** Returns one page of flags, for which a further condition holds. */
export const pageOfFlags = (db: ReadDb, filter: FlagFilter, slice: FlagSlice, condition?: SQL) =>
  db
    .select(flagColumns)
    .from(flags)
    .where(and(inArray(flags.id, idsOnPage(db, filter, slice)), condition))
    .orderBy(...ordered(slice.order));

/** Returns one page of flags, each with its last change, for which a further condition holds. */
export const pageOfChangedFlags = (
  db: ReadDb,
  filter: FlagFilter,
  slice: FlagSlice,
  condition?: SQL,
) =>
  db
    .select(columnsWithLastChange)
    .from(flags)
    .where(and(inArray(flags.id, idsOnPage(db, filter, slice)), condition))
    .orderBy(...ordered(slice.order));

/** Returns the SQL expression for the size of the flags on a page, bytes. */
export const pageBytes = (db: ReadDb, filter: FlagFilter, slice: FlagSlice): SQL =>
  listedBytes(idsOnPage(db, filter, slice));

/**
 * Returns the SELECT of the ids on a page, so that SQLite computes the tags and `enabled` only for the
 * flags of this page and not for every matching flag.
 */
const idsOnPage = (db: ReadDb, filter: FlagFilter, { ids, order, limit, offset }: FlagSlice) =>
  ids
    ? sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
    : sortedIds(db, filter, { order, limit, offset });

/**
 * The most conditions of a list within a subquery. Each is a level of the expression, of which D1 allows
 * 100, and the statement for a page has the subquery twice.
 */
const MAX_CONDITIONS = 8;

/** Whether the condition is too deep for D1 within a subquery, because of `containsText` or its length. */
const isDeep = (filter: FlagFilter): boolean =>
  (filter.search !== undefined && BEYOND_ASCII.test(filter.search)) ||
  conditionsOf(filter).length > MAX_CONDITIONS;

const BEYOND_ASCII = /[^ -~]/;

/**
 * Returns the ids of a page for which a statement of its own chooses them: if names must be sorted by
 * the rules of Unicode, or the condition is too deep for a subquery. Otherwise undefined.
 */
export async function separateIds(
  db: ReadDb,
  filter: FlagFilter,
  slice: FlagSlice,
): Promise<readonly number[] | undefined> {
  const { order, limit, offset } = slice;
  const sorted = order?.by === "name" ? await idsByName(db, filter, order.descending) : undefined;
  if (sorted) return sorted.slice(offset, offset + limit);
  return isDeep(filter) ? (await sortedIds(db, filter, slice)).map(({ id }) => id) : undefined;
}

const sortedIds = (db: ReadDb, filter: FlagFilter, { order, limit, offset }: FlagSlice) =>
  db
    .select({ id: flags.id })
    .from(flags)
    .where(matching(filter))
    .orderBy(...ordered(order))
    .limit(limit)
    .offset(offset);

/** The most flags that are sorted by the rules of Unicode: as many as a project has by default. */
const MAX_SORTED = 5000;

/**
 * Returns the ids of the matching flags, sorted by name by the rules of Unicode, which SQLite does not
 * know. Undefined if SQL sorts them as well, because all names are ASCII; and for more than
 * `MAX_SORTED` flags, so that the time has a bound.
 */
async function idsByName(
  db: ReadDb,
  filter: FlagFilter,
  descending: boolean,
): Promise<readonly number[] | undefined> {
  const beyondAscii = sql`EXISTS (SELECT 1 FROM ${flags} WHERE ${matching(filter)}
    AND ${flags.name} GLOB '*[^ -~]*')`;
  const rows = await db
    .select({ id: flags.id, name: flags.name })
    .from(flags)
    .where(and(matching(filter), isDeep(filter) ? undefined : beyondAscii))
    .limit(MAX_SORTED + 1);
  if (rows.length === 0 || rows.length > MAX_SORTED) return undefined;
  const sign = descending ? -1 : 1;
  return rows
    .toSorted((a, b) => sign * compareNames(a.name, b.name) || a.id - b.id)
    .map(({ id }) => id);
}

export async function countMatchingFlags(db: ReadDb, filter: FlagFilter): Promise<number> {
  const count = sql<number>`count(*)`;
  return (await db.select({ count }).from(flags).where(matching(filter)))[0]?.count ?? 0;
}

const matching = (filter: FlagFilter): SQL | undefined => and(...conditionsOf(filter));

function conditionsOf(filter: FlagFilter): readonly SQL[] {
  const { projectId, includeArchived, stale, now, search, flagType } = filter;
  const ofAge = whereStale(now, projectId);
  const archived = filter.archived ?? (includeArchived ? undefined : false);
  const conditions = [
    isListed(flags.projectId, { projectId, hidden: filter.hidden ?? [], only: filter.only }),
    archived === undefined ? undefined : eq(flags.archived, archived),
    stale === undefined ? undefined : stale ? ofAge : sql`NOT ${ofAge}`,
    flagType === undefined ? undefined : eq(flags.flagType, flagType),
    filter.clients === undefined ? undefined : eq(flags.clients, filter.clients),
    ...searchedWords(search).map((word) => containsText(KEY_AND_NAME, word)),
    filter.tag && hasTag(filter.tag),
    filter.notTag && not(hasTag(filter.notTag)),
    filter.segmentId && usesSegment(filter.segmentId),
    filter.notSegmentId && not(usesSegment(filter.notSegmentId)),
    filter.ownerId && isOwnedBy(filter.ownerId),
    filter.notOwnerId && not(isOwnedBy(filter.notOwnerId)),
    inState(filter),
    filter.onIn && isOnIn(filter.onIn),
    filter.offIn && isOffIn(filter.offIn),
    differing(filter),
    filter.favouriteOf === undefined
      ? undefined
      : sql`${flags.id} IN (SELECT flag_id FROM ${userPreferences}
          WHERE user_id = ${filter.favouriteOf} AND kind = 'favourite')`,
  ];
  return conditions.filter((condition) => condition !== undefined);
}

/** No word contains a line break, so no word is found across the end of the key. */
const KEY_AND_NAME = sql`(${flags.key} || char(10) || ${flags.name})`;

/** The most words that a search looks for one by one, so that the condition has a bound. */
const MAX_WORDS = 8;

/** Returns the words of a searched text. After `MAX_WORDS - 1`, the rest of the text is one word. */
function searchedWords(search: string | undefined): readonly string[] {
  if (search === undefined) return [];
  const words = search.split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return [search];
  const rest = words.slice(MAX_WORDS - 1).join(" ");
  return [...words.slice(0, MAX_WORDS - 1), ...(rest === "" ? [] : [rest])];
}

/** Returns the SQL condition of the filter `tag`. */
const hasTag = (texts: readonly string[]): SQL =>
  sql`EXISTS (SELECT 1 FROM ${flagTags} JOIN ${tags} ON ${tags.id} = ${flagTags.tagId}
    WHERE ${flagTags.flagId} = ${flags.id}
      AND (${tags.name} IN ${inList(texts)} OR ${flagTags.value} IN ${inList(texts)}))`;

/** A flag has no strategy in an environment of another project, so it is not on there. */
const isOnIn = (environmentIds: readonly number[]): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(environmentIds)}) WHERE NOT EXISTS
    (SELECT 1 FROM ${strategies} WHERE ${strategies.flagId} = ${flags.id}
      AND ${strategies.environmentId} = json_each.value AND ${strategies.enabled} = 1))`;

/** A flag is neither on nor off in an environment of another project. */
const isOffIn = (environmentIds: readonly number[]): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(environmentIds)})
    LEFT JOIN ${environments} ON ${environments.id} = json_each.value
      AND ${environments.projectId} = ${flags.projectId}
    WHERE ${environments.id} IS NULL OR EXISTS
      (SELECT 1 FROM ${strategies} WHERE ${strategies.flagId} = ${flags.id}
        AND ${strategies.environmentId} = json_each.value AND ${strategies.enabled} = 1))`;

/**
 * Returns the SQL condition of the filter `state`. The condition also compares the project, because
 * a flag has no strategy in an environment of another project.
 */
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

/** Returns the SQL condition of the filter `differsFrom`. */
function differing({ differsFrom, environmentId }: FlagFilter): SQL | undefined {
  if (differsFrom === undefined || environmentId === undefined) return undefined;
  // Uses a join, which gives a row of NULLs if the flag has no strategy yet.
  const content = (id: number) => sql`(SELECT ${comparedContent("s", "flags")} FROM (SELECT 1)
    LEFT JOIN strategies s ON s.flag_id = flags.id AND s.environment_id = ${id})`;
  return sql`${content(environmentId)} <> ${content(differsFrom)}`;
}
