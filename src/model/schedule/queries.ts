import { type SQL, sql } from "drizzle-orm";
import type { ReadDb } from "../../db/database.ts";
import { IS_ACTIVE } from "../../db/schema/ramps.ts";
import { isListed, type Listed } from "../../db/project-filter.ts";

/** Something that the service does at a time: it applies a change request, or a step of a ramp. */
export interface PlannedRow {
  readonly kind: "change-request" | "ramp";
  readonly id: number;
  readonly projectId: number;
  /** Epoch milliseconds. Null for a ramp that waits for somebody. */
  readonly at: number | null;
  /** The title of a change request. Null for a ramp. */
  readonly title: string | null;
  /** What is changed. Null for a change request with several operations, or with one elsewhere. */
  readonly flagId: number | null;
  readonly flagKey: string | null;
  readonly environmentId: number | null;
  readonly environmentName: string | null;
  /** Why the service does not apply the change request. Null: it was not refused. */
  readonly blockedBy: string | null;
}

interface Filter {
  readonly listed: Listed;
  readonly flagId: number | undefined;
  /** The period, epoch milliseconds, inclusive. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** Returns a page of what is planned, in the order of time, and how much matches the filter. */
export async function listPlanned(
  db: ReadDb,
  filter: Filter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly items: PlannedRow[]; readonly total: number }> {
  const planned = plannedIn(filter);
  const [items, [counted]] = await db.batch([
    db
      .select({
        kind: sql<PlannedRow["kind"]>`p.kind`,
        id: sql<number>`p.id`,
        projectId: sql<number>`p.project_id`,
        at: sql<number | null>`p.at`,
        title: sql<string | null>`p.title`,
        flagId: sql<number | null>`f.id`.as("flagId"),
        flagKey: sql<string | null>`f.key`.as("flagKey"),
        environmentId: sql<number | null>`e.id`.as("environmentId"),
        environmentName: sql<string | null>`e.name`.as("environmentName"),
        blockedBy: sql<string | null>`p.blocked_by`,
      })
      .from(
        sql`${planned} p LEFT JOIN flags f ON f.id = p.flag_id
          LEFT JOIN environments e ON e.id = p.environment_id`,
      )
      .orderBy(sql`p.at IS NULL, p.at, p.kind, p.id`)
      .limit(limit)
      .offset(offset),
    db.select({ total: sql<number>`count(*)` }).from(sql`${planned}`),
  ]);
  return { items, total: counted?.total ?? 0 };
}

/**
 * Returns the rows of what is planned. An open request stays in the list after it was blocked. Of one
 * flag, and without a period, all active ramps are in the list.
 */
function plannedIn({ listed, flagId, from, to }: Filter): SQL {
  const all = (conditions: readonly (SQL | false)[]) =>
    sql.join(
      conditions.filter((one) => one !== false),
      sql` AND `,
    );
  const ofProject = isListed(sql`project_id`, listed) ?? false;
  const within = (at: SQL) => [
    sql`${at} IS NOT NULL`,
    from !== undefined && sql`${at} >= ${from}`,
    to !== undefined && sql`${at} <= ${to}`,
  ];
  const ofFlag = sql`o.kind <> 'segment.update'`;
  const requests = all([
    sql`state = 'open'`,
    ofProject,
    ...within(sql`apply_at`),
    flagId !== undefined &&
      sql`EXISTS (SELECT 1 FROM change_request_operations o
        WHERE o.request_id = r.id AND ${ofFlag} AND o.target_id = ${flagId})`,
  ]);
  const isTimeless = flagId !== undefined && from === undefined && to === undefined;
  const steps = all([
    sql.raw(IS_ACTIVE),
    ofProject,
    ...(isTimeless ? [] : within(sql`next_at`)),
    flagId !== undefined && sql`flag_id = ${flagId}`,
  ]);
  /** The column of the only operation of a request. */
  const only = (column: SQL) =>
    sql`(SELECT CASE WHEN count(*) = 1 THEN ${column} END
      FROM change_request_operations o WHERE o.request_id = r.id)`;
  return sql`(SELECT 'change-request' AS kind, id, project_id, apply_at AS at, title,
      ${only(sql`iif(${ofFlag}, o.target_id, NULL)`)} AS flag_id,
      ${only(sql`o.environment_id`)} AS environment_id, blocked_by
    FROM change_requests r WHERE ${requests}
    UNION ALL SELECT 'ramp', id, project_id, next_at, NULL, flag_id, environment_id, NULL
    FROM ramps WHERE ${steps})`;
}
