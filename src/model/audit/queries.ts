import {
  and,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  lt,
  lte,
  ne,
  or,
  type SQL,
  sql,
  type SQLWrapper,
} from "drizzle-orm";
import type { ReadDb } from "../../db/database.ts";
import { inList } from "../../db/json-list.ts";
import { users } from "../../db/schema/people.ts";
import { type ActorKind, audit, type AuditCategory } from "../../db/schema/records.ts";
import { containsText } from "../../db/contains.ts";
import { isListed, type Visible } from "../../db/project-filter.ts";
import { SEARCHED_NAMES } from "./related-queries.ts";

export type AuditRow = typeof audit.$inferSelect;

export interface ListedRecord extends AuditRow {
  /** The present name of the user who acted; null for other actors and for deleted users. */
  readonly personName: string | null;
}

export interface AuditFilter extends Partial<Visible> {
  /** `dateFrom` and `dateTo` are inclusive, in epoch milliseconds. */
  readonly dateFrom?: number | undefined;
  readonly dateTo?: number | undefined;
  readonly projectId?: number | undefined;
  readonly environmentId?: number | undefined;
  readonly entityType?: string | undefined;
  readonly entityId?: number | undefined;
  readonly actorKind?: ActorKind | undefined;
  readonly actorId?: number | undefined;
  readonly action?: string | undefined;
  readonly category?: AuditCategory | undefined;
  /**
   * The id of an audit record. Only records that come after this record in the list are returned.
   * The list starts with the newest record.
   */
  readonly beforeId?: number | undefined;
  /**
   * Excludes audit records of these entity types, and audit records of the category `security`.
   * Undefined excludes nothing.
   */
  readonly withoutSecurity?: readonly string[] | undefined;
}

/**
 * The order of the list: by time, newest first. Of two records of the same millisecond, the one
 * that was committed later comes first.
 */
const newestFirst = [desc(audit.at), desc(audit.id)];

/**
 * Selects the ids of one page of audit records from an index alone, so that D1 reads only the page's
 * rows from the table. D1 still reads the index entries of all earlier pages.
 */
export const idsOnPage = (db: ReadDb, filter: AuditFilter, limit: number, offset: number) =>
  newestIds(db, filter).limit(limit).offset(offset);

/** Returns the SQL expression for the size of the contents of audit records, bytes. */
export const recordBytes = (ids: SQLWrapper): SQL =>
  sql`(SELECT coalesce(sum(coalesce(octet_length(before), 0) + coalesce(octet_length(after), 0)), 0)
    FROM audit WHERE id IN ${ids})`;

/** Returns the audit records with these ids, newest first, if a further condition holds. */
export const listRecords = (db: ReadDb, ids: SQLWrapper, condition?: SQL) =>
  db
    .select({ ...getTableColumns(audit), personName: users.name })
    .from(audit)
    .leftJoin(users, and(eq(audit.actorKind, "user"), eq(users.id, audit.actorId)))
    .where(and(inArray(audit.id, ids), condition))
    .orderBy(...newestFirst);

/** Selects the ids of the matching audit records, newest first, from an index alone. */
const newestIds = (db: ReadDb, filter: AuditFilter) =>
  db
    .select({ id: audit.id })
    .from(audit)
    .where(matching(filter))
    .orderBy(...newestFirst);

/**
 * Returns one row with the exact number of matching audit records. SQLite counts them in an index,
 * without reading the table.
 */
export const countAudit = (db: ReadDb, filter: AuditFilter) =>
  db
    .select({ count: sql<number>`count(*)` })
    .from(audit)
    .where(matching(filter));

/** In how many audit records a text is searched at most. The newest ones come first. */
export const MAX_SEARCHED = 10_000;

export interface AuditSearch {
  readonly text: string;
  /** Whether the search also looks at the names and e-mail addresses of users who acted. */
  readonly people: boolean;
}

/**
 * Searches the newest `MAX_SEARCHED` records that match the filter for a text: in the reason, in the
 * name and e-mail address of who acted, and in the present and recorded names of what changed. Case
 * is ignored. Returns one row: the ids of the records with the text, newest
 * first, the number of searched records, and the time of the oldest of them in epoch milliseconds,
 * null if there is none. Reads at most five rows for each searched record.
 */
export function searchAudit(db: ReadDb, filter: AuditFilter, { text, people }: AuditSearch) {
  const actor = people
    ? sql`concat_ws(char(10), r.actor_name, u.name)`
    : sql`iif(r.actor_kind = 'user', NULL, r.actor_name)`;
  const words = sql`concat_ws(char(10), r.reason, ${actor}, ${sql.raw(SEARCHED_NAMES)})`;
  return db
    .select({
      ids: sql<number[]>`json_group_array(r.record_id ORDER BY r.at DESC, r.record_id DESC)
        FILTER (WHERE ${containsText(words, text)})`.mapWith(
        (json: string) => JSON.parse(json) as number[],
      ),
      searched: sql<number>`count(*)`,
      since: sql<number | null>`min(r.at)`,
    })
    .from(
      sql`(SELECT a.id AS record_id, a.at, a.reason, a.actor_kind, a.actor_id, a.actor_name,
          a.entity_type, a.entity_id AS id, a.before, a.after
        FROM ${newestIds(db, filter).limit(MAX_SEARCHED)} newest JOIN audit a ON a.id = newest.id) r
        LEFT JOIN users u ON r.actor_kind = 'user' AND u.id = r.actor_id`,
    );
}

export async function findRecord(db: ReadDb, id: number): Promise<AuditRow | undefined> {
  return (await db.select().from(audit).where(eq(audit.id, id)))[0];
}

/**
 * Returns the contents of a record and of the later records with the same action about the same
 * resource, newest first, but at most `limit` of them.
 */
export const changesSince = (db: ReadDb, record: AuditRow, limit: number) =>
  db
    .select({ before: audit.before, after: audit.after })
    .from(audit)
    .where(
      and(
        entityIs(record.entityType, record.entityId),
        eq(audit.action, record.action),
        sql`${audit.environmentId} IS ${record.environmentId}`,
        gte(audit.id, record.id),
      ),
    )
    .orderBy(desc(audit.id))
    .limit(limit);

/** The newest audit record about a flag with some action. */
export interface LastRecord {
  readonly id: number;
  readonly entityId: number | null;
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the newest record with an action in an environment about each of some flags. */
export const lastChangesOf = (
  db: ReadDb,
  { action, environmentId, ids }: LastChangesOf,
): Promise<LastRecord[]> =>
  db
    .select({
      id: audit.id,
      entityId: audit.entityId,
      before: audit.before,
      after: audit.after,
    })
    .from(audit)
    .where(
      sql`${audit.id} IN (SELECT max(id) FROM audit WHERE entity_id IN ${inList(ids)}
        AND entity_type = 'flag' AND action = ${action} AND environment_id = ${environmentId}
        GROUP BY entity_id)`,
    );

interface LastChangesOf {
  readonly action: string;
  readonly environmentId: number;
  /** The ids of the flags whose records are read. */
  readonly ids: readonly number[];
}

const entityIs = (entityType: string, entityId: number | null) =>
  and(eq(audit.entityType, entityType), sql`${audit.entityId} IS ${entityId}`);

function matching(filter: AuditFilter): SQL | undefined {
  const { dateFrom, projectId, hidden = [], only, environmentId, entityType, entityId } = filter;
  const { actorKind, actorId, action, category, withoutSecurity } = filter;
  return and(
    dateFrom === undefined ? undefined : gte(audit.at, dateFrom),
    notAfter(filter),
    isListed(audit.projectId, { projectId, hidden, only }),
    environmentId === undefined ? undefined : eq(audit.environmentId, environmentId),
    entityType === undefined ? undefined : eq(audit.entityType, entityType),
    entityId === undefined ? undefined : eq(audit.entityId, entityId),
    actorKind === undefined ? undefined : eq(audit.actorKind, actorKind),
    actorId === undefined ? undefined : eq(audit.actorId, actorId),
    action === undefined ? undefined : eq(audit.action, action),
    category === undefined ? undefined : eq(audit.category, category),
    withoutSecurity && ne(audit.category, "security"),
    // Compares with each type instead of `NOT IN`, for which SQLite would search a temporary table
    // for every audit record. D1 charges for the rows that such a search reads.
    ...(withoutSecurity ?? []).map((type) => ne(audit.entityType, type)),
  );
}

/**
 * Returns the SQL condition for `dateTo` and `beforeId`. The condition has only one upper bound of
 * the time, because an index search uses only one.
 */
function notAfter({ dateTo, beforeId }: AuditFilter): SQL | undefined {
  if (beforeId === undefined) return dateTo === undefined ? undefined : lte(audit.at, dateTo);
  // Uses the time of the next older record if no audit record has the id `beforeId`.
  const at = sql`(SELECT at FROM audit WHERE id <= ${beforeId} ORDER BY id DESC LIMIT 1)`;
  return and(
    lte(audit.at, dateTo === undefined ? at : sql`min(${dateTo}, ${at})`),
    or(lt(audit.at, at), lt(audit.id, beforeId)),
  );
}
