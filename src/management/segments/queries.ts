import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import { type ReadDb } from "../../db/database.ts";
import { segments } from "../../db/schema/projects.ts";
import { countIf } from "../counts.ts";

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

/** Returns the segments of one project, or of all projects if `projectId` is undefined. */
export function listSegments(db: ReadDb, projectId: number | undefined, counts: boolean) {
  const where = projectId === undefined ? undefined : eq(segments.projectId, projectId);
  const columns = { ...getTableColumns(segments), flagCount: countIf(counts, FLAG_COUNT) };
  return db.select(columns).from(segments).where(where).orderBy(asc(segments.id));
}

export const countSegments = (projectId: number) =>
  sql`SELECT count(*) FROM ${segments} WHERE ${segments.projectId} = ${projectId}`;
