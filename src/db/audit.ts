import { type SQL, sql } from "drizzle-orm";
import type { Origin } from "./origin.ts";
import { audit, type AuditCategory } from "./schema/records.ts";
import { write } from "./database.ts";

/**
 * The content of one audit record. `before` and `after` have the fields of the API, without
 * secrets.
 */
export interface AuditEntry {
  /**
   * The name of the action, such as `flag.created`. It is SQL if the transaction decides which
   * action it was.
   */
  readonly action: string | SQL;
  readonly category?: AuditCategory;
  readonly entityType: string;
  /**
   * The id of the changed row. For a row that the same batch creates, it is a subquery that finds
   * the row by a natural key.
   */
  readonly entityId: number | SQL | null;
  readonly projectId?: number | SQL | null;
  readonly environmentId?: number | SQL | null;
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * Returns the audit entry for a security event of a user, such as a sign-in or a change of the
 * account.
 */
export const aboutUser = (
  action: AuditEntry["action"],
  entityId: AuditEntry["entityId"],
  more: Pick<AuditEntry, "before" | "after"> = {},
): [AuditEntry] => [{ action, category: "security", entityType: "user", entityId, ...more }];

/** Returns the name of the actor for audit records and events. */
export const actorName = (actor: Origin["actor"]): string =>
  actor.kind === "user" ? actor.email : actor.name;

const json = (value: unknown) => (value === undefined ? null : sql`${JSON.stringify(value)}`);

export function auditStatement(origin: Origin, now: number, entry: AuditEntry) {
  const { actor } = origin;
  return write.insert(audit).values({
    at: now,
    category: entry.category ?? "change",
    action: sql`${entry.action}`,
    actorKind: actor.kind,
    actorId: actor.kind === "system" ? null : actor.id,
    actorName: actorName(actor),
    entityType: entry.entityType,
    entityId: entry.entityId,
    projectId: entry.projectId ?? null,
    environmentId: entry.environmentId ?? null,
    before: json(entry.before),
    after: json(entry.after),
    reason: origin.reason ?? null,
    ip: origin.ip ?? null,
    traceId: origin.traceId,
  });
}
