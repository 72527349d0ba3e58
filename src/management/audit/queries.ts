import { and, desc, eq, gte, inArray, lt, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { ReadDb } from "../../db/database.ts";
import { type ActorKind, audit, type AuditCategory } from "../../db/schema/records.ts";

export type AuditRow = typeof audit.$inferSelect;

export interface AuditFilter {
  /** Epoch milliseconds, both inclusive. */
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
  /** Only what comes after this record in the list. */
  readonly beforeId?: number | undefined;
  /** No security records, and none of these entities; undefined: everything. */
  readonly withoutSecurity?: readonly string[] | undefined;
}

/** Newest first: by time, and records of one millisecond in the order of their commits. */
const newestFirst = [desc(audit.at), desc(audit.id)];

/**
 * The page's ids come from an index alone, so that rows are read for what is shown and for nothing
 * that is skipped.
 */
export function listAudit(db: ReadDb, filter: AuditFilter, limit: number, offset: number) {
  const ids = db
    .select({ id: audit.id })
    .from(audit)
    .where(matching(filter))
    .orderBy(...newestFirst)
    .limit(limit)
    .offset(offset);
  return db
    .select()
    .from(audit)
    .where(inArray(audit.id, ids))
    .orderBy(...newestFirst);
}

/** One row with the exact number, counted in an index alone. */
export const countAudit = (db: ReadDb, filter: AuditFilter) =>
  db
    .select({ count: sql<number>`count(*)` })
    .from(audit)
    .where(matching(filter));

function matching(filter: AuditFilter): SQL | undefined {
  const { dateFrom, projectId, environmentId, entityType, entityId } = filter;
  const { actorKind, actorId, action, category, withoutSecurity } = filter;
  return and(
    dateFrom === undefined ? undefined : gte(audit.at, dateFrom),
    until(filter),
    projectId === undefined ? undefined : eq(audit.projectId, projectId),
    environmentId === undefined ? undefined : eq(audit.environmentId, environmentId),
    entityType === undefined ? undefined : eq(audit.entityType, entityType),
    entityId === undefined ? undefined : eq(audit.entityId, entityId),
    actorKind === undefined ? undefined : eq(audit.actorKind, actorKind),
    actorId === undefined ? undefined : eq(audit.actorId, actorId),
    action === undefined ? undefined : eq(audit.action, action),
    category === undefined ? undefined : eq(audit.category, category),
    withoutSecurity && ne(audit.category, "security"),
    // Not NOT IN: SQLite would look every record up in a table of its own, and D1 charges for it.
    ...(withoutSecurity ?? []).map((type) => ne(audit.entityType, type)),
  );
}

/** The end of the list; one upper bound for both limits, as an index search takes only one. */
function until({ dateTo, beforeId }: AuditFilter): SQL | undefined {
  if (beforeId === undefined) return dateTo === undefined ? undefined : lte(audit.at, dateTo);
  // The record itself may have been swept: the next older one stands for it.
  const at = sql`(SELECT at FROM audit WHERE id <= ${beforeId} ORDER BY id DESC LIMIT 1)`;
  return and(
    lte(audit.at, dateTo === undefined ? at : sql`min(${dateTo}, ${at})`),
    or(lt(audit.at, at), lt(audit.id, beforeId)),
  );
}
