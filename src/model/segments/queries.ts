import { and, asc, eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import { containsText } from "../../db/contains.ts";
import { type ReadDb } from "../../db/database.ts";
import { segments } from "../../db/schema/projects.ts";
import { countIf } from "../../db/counts.ts";
import { isListed, type Listed } from "../../db/project-filter.ts";

export type SegmentRow = typeof segments.$inferSelect;

/** A segment in a list, with the number of flags that use it. Null if it was not counted. */
export interface ListedSegment extends SegmentRow {
  readonly flagCount: number | null;
}

export async function findSegment(db: ReadDb, id: number): Promise<SegmentRow | undefined> {
  return (await db.select().from(segments).where(eq(segments.id, id)))[0];
}

/** The number of flags whose strategies or ordered rules use a segment, archived flags included. */
const FLAG_COUNT = `SELECT count(DISTINCT flag_id) FROM (
  SELECT flag_id FROM strategy_segments WHERE segment_id = segments.id
  UNION ALL SELECT flag_id FROM strategy_rule_segments WHERE segment_id = segments.id)`;

/** Which segments to list. */
export interface SegmentList {
  readonly listed: Listed;
  /** Undefined for all segments of the list. */
  readonly slice: { readonly limit: number; readonly offset: number } | undefined;
  /** The ids of the segments that a search has found (`findByName`). Undefined without a search. */
  readonly found?: readonly number[] | undefined;
}

/**
 * Returns the ids of the segments whose name contains a text. A statement of its own, because the
 * condition can be too deep for D1 within a subquery (`containsText`).
 */
export async function findByName(db: ReadDb, listed: Listed, text: string) {
  const named = containsText(sql`${segments.name}`, text);
  const where = and(isListed(segments.projectId, listed), named);
  const rows = await db.select({ id: segments.id }).from(segments).where(where);
  return rows.map(({ id }) => id);
}

function listedIds(db: ReadDb, { listed, slice, found }: SegmentList) {
  const { limit = -1, offset = 0 } = slice ?? {};
  return db
    .select({ id: segments.id })
    .from(segments)
    .where(
      and(
        isListed(segments.projectId, listed),
        found && sql`${segments.id} IN (SELECT value FROM json_each(${JSON.stringify(found)}))`,
      ),
    )
    .orderBy(asc(segments.id))
    .limit(limit)
    .offset(offset);
}

/** Returns the SQL expression for the size of the constraints in a list, bytes. */
export const listedBytes = (db: ReadDb, list: SegmentList): SQL =>
  sql`(SELECT coalesce(sum(octet_length(constraints)), 0) FROM segments
    WHERE id IN ${listedIds(db, list)})`;

/** Returns the segments of a list for which a further condition holds. */
export function listSegments(db: ReadDb, list: SegmentList, counts: boolean, condition?: SQL) {
  const columns = { ...getTableColumns(segments), flagCount: countIf(counts, FLAG_COUNT) };
  return db
    .select(columns)
    .from(segments)
    .where(and(inArray(segments.id, listedIds(db, list)), condition))
    .orderBy(asc(segments.id));
}

export async function countListed(db: ReadDb, listed: Listed): Promise<number> {
  const count = sql<number>`count(*)`;
  const where = isListed(segments.projectId, listed);
  return (await db.select({ count }).from(segments).where(where))[0]?.count ?? 0;
}

export const countSegments = (projectId: number) =>
  sql`SELECT count(*) FROM ${segments} WHERE ${segments.projectId} = ${projectId}`;
