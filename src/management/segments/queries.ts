import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import type { Constraint } from "@feature-flags/evaluation/rule";
import { type ReadDb, write } from "../../db/database.ts";
import { usesSegment } from "../../db/segment-uses.ts";
import { flags, segments } from "../../db/schema/projects.ts";
import { countIf } from "../counts.ts";

export type SegmentRow = typeof segments.$inferSelect;

/** A segment in a list, with the number of flags that use it. Null if it was not counted. */
export interface ListedSegment extends SegmentRow {
  readonly flagCount: number | null;
}

export async function findSegment(db: ReadDb, id: number): Promise<SegmentRow | undefined> {
  return (await db.select().from(segments).where(eq(segments.id, id)))[0];
}

export async function findSegmentByName(db: ReadDb, projectId: number, name: string) {
  const where = sql`${segments.projectId} = ${projectId} AND ${segments.name} = ${name}`;
  return (await db.select().from(segments).where(where))[0];
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

/** Returns the keys of the flags whose strategies or ordered rules use the segment. */
export async function flagsUsingSegment(db: ReadDb, id: number): Promise<string[]> {
  const rows = await db
    .select({ key: flags.key })
    .from(flags)
    .where(usesSegment(id))
    .orderBy(asc(flags.key));
  return rows.map((row) => row.key);
}

export const countSegments = (projectId: number) =>
  sql`SELECT count(*) FROM ${segments} WHERE ${segments.projectId} = ${projectId}`;

export const segmentIdByName = (projectId: number, name: string) =>
  sql`(SELECT id FROM segments WHERE project_id = ${projectId} AND name = ${name})`;

export const insertSegment = (segment: typeof segments.$inferInsert) =>
  write.insert(segments).values(segment);

export const updateSegment = (
  id: number,
  change: {
    name: string;
    description: string | null;
    constraints: readonly Constraint[];
    updatedAt: number;
  },
) =>
  write
    .update(segments)
    .set({ ...change, version: sql`${segments.version} + 1` })
    .where(eq(segments.id, id));

export const deleteSegment = (id: number) => write.delete(segments).where(eq(segments.id, id));
