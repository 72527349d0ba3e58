import { type SQL, sql } from "drizzle-orm";
import { MINUTE_MS } from "../../core/lib/time.ts";
import type { ReadDb } from "../../db/database.ts";
import { inList } from "../../db/json-list.ts";
import { changeRequests } from "../../db/schema/change-requests.ts";
import { ramps } from "../../db/schema/ramps.ts";

/** What is due: a change request, or the next step of a ramp. */
export interface Due {
  readonly kind: DueKind;
  readonly id: number;
  /** When the service was to look at it, epoch milliseconds. */
  readonly at: number;
  /** When it was due first, before attempts that have failed, epoch milliseconds. */
  readonly since: number;
}
export type DueKind = "request" | "ramp";

/**
 * When the hold of a ramp has ended, epoch milliseconds. After a pause it is the time at which the
 * ramp was resumed, if that is later: then an attempt that fails is repeated later than need be.
 */
const HOLD_END = sql`max(updated_at,
  step_at + ${MINUTE_MS} * coalesce(steps ->> ('$[' || step || '].holdMinutes'), 0))`;

/** All that the service does at a time: one row each. */
const PLANNED = sql`(
  SELECT 'request' AS kind, id, project_id, next_at, min(next_at, apply_at) AS since
    FROM ${changeRequests} WHERE next_at IS NOT NULL
  UNION ALL SELECT 'ramp', id, project_id, next_at, min(next_at, ${HOLD_END})
    FROM ${ramps} WHERE next_at IS NOT NULL)`;

interface Which {
  readonly projectIds: readonly number[];
  readonly now: number;
  readonly limit: number;
}

/** Returns what is due in some projects, in the order of time. */
export const findDue = (db: ReadDb, { projectIds, now, limit }: Which): Promise<Due[]> =>
  db
    .select({
      kind: sql<Due["kind"]>`kind`,
      id: sql<number>`id`,
      at: sql<number>`next_at`,
      since: sql<number>`since`,
    })
    .from(PLANNED)
    .where(sql`project_id IN ${inList(projectIds)} AND next_at <= ${now}`)
    .orderBy(sql`next_at, kind DESC, id`)
    .limit(limit);

/** Returns when something is due next in a project; undefined: nothing is planned. */
export async function nextDue(db: ReadDb, projectId: number): Promise<number | undefined> {
  const [row] = await db
    .select({ at: sql<number | null>`min(next_at)` })
    .from(PLANNED)
    .where(sql`project_id = ${projectId}`);
  return row?.at ?? undefined;
}

/** Returns the projects in which something was due at a time, the longest overdue first. */
export async function dueProjects(db: ReadDb, at: number, limit: number): Promise<number[]> {
  const rows = await db
    .select({ projectId: sql<number>`project_id` })
    .from(PLANNED)
    .where(sql`next_at <= ${at}`)
    .groupBy(sql`project_id`)
    .orderBy(sql`min(next_at)`)
    .limit(limit);
  return rows.map(({ projectId }) => projectId);
}

/** The statement that moves a planned change to a later time, unless somebody has moved it since. */
export const postpone = ({ kind, id, at }: Due, next: number): SQL =>
  sql`UPDATE ${kind === "request" ? changeRequests : ramps} SET next_at = ${next}
    WHERE id = ${id} AND next_at = ${at}`;
