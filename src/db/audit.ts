import { type SQL, sql } from "drizzle-orm";
import { cappedContents, type Contents } from "../core/audit/capped-contents.ts";
import { changedFields } from "../core/audit/changed-fields.ts";
import type { Origin } from "./origin.ts";
import { audit, type AuditCategory } from "./schema/records.ts";
import { write } from "./database.ts";

/**
 * The content of one audit record. `before` and `after` describe the changed resource before and
 * after the change, without secrets. An entry with both describes an update. Both must then have
 * every field that the change can alter: `commit` stores only the fields that differ, and writes
 * nothing if no field of any entry differs. `commit` shortens contents that are too large (see
 * `cappedContents`).
 */
export interface AuditEntry {
  /**
   * The name of the audited action, such as `flag.created`. The name is an SQL expression if only
   * the transaction can decide between two actions.
   */
  readonly action: string | SQL;
  readonly category?: AuditCategory;
  readonly entityType: string;
  /**
   * The id of the changed row. For a row that the same D1 batch creates, the id is a subquery that
   * finds the row by a natural key, such as the key of a flag.
   */
  readonly entityId: number | SQL | null;
  readonly projectId?: number | SQL | null;
  readonly environmentId?: number | SQL | null;
  readonly before?: object | undefined;
  readonly after?: object | undefined;
}

/**
 * Returns a list with one audit entry for a security event of a user, such as a sign-in or a change
 * of the user's account.
 */
export const aboutUser = (
  action: AuditEntry["action"],
  entityId: AuditEntry["entityId"],
  more: Pick<AuditEntry, "before" | "after"> = {},
): [AuditEntry] => [{ action, category: "security", entityType: "user", entityId, ...more }];

/**
 * Returns the name of the actor in audit records and webhook events: the e-mail address of a user,
 * or the name of an API key or of the system.
 */
export const actorName = (actor: Origin["actor"]): string =>
  actor.kind === "user" ? actor.email : actor.name;

/**
 * Returns the entries as the audit trail stores them: an update has only the fields that differ,
 * and large contents are shortened. An update that changes nothing is left out.
 */
export async function storedEntries(entries: readonly AuditEntry[]): Promise<AuditEntry[]> {
  const stored = entries.map(async (entry) => {
    const contents = changedContents(entry as Contents);
    return contents ? [{ ...entry, ...(await cappedContents(contents)) }] : [];
  });
  return (await Promise.all(stored)).flat();
}

/** Returns undefined for an update that changes nothing. */
const changedContents = ({ before, after }: Contents): Contents | undefined =>
  before && after ? changedFields({ before, after }) : { before, after };

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
