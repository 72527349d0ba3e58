import type { Pausing } from "@feature-flags/evaluation/pausing";
import { tokenOf } from "@feature-flags/permissions/permissions";
import { SQL, sql } from "drizzle-orm";
import type { AuditAction } from "../core/audit/actions.ts";
import { cappedContents, type Contents } from "../core/audit/capped-contents.ts";
import { changedFields } from "../core/audit/changed-fields.ts";
import type { Turns } from "../core/lib/turns.ts";
import { jsonChunkSteps } from "./json-list.ts";
import type { Origin } from "./origin.ts";
import { audit, type AuditCategory, type EntityType, type Override } from "./schema/records.ts";
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
   * The name of the audited action, such as `flag.created`. An SQL expression if the action depends
   * on what the transaction finds.
   */
  readonly action: AuditAction | SQL;
  readonly category?: AuditCategory;
  readonly entityType: EntityType;
  /**
   * The id of the changed row. For a row that the same D1 batch creates, the id is a subquery that
   * finds the row by a natural key, such as the key of a flag.
   */
  readonly entityId: number | SQL | null;
  readonly projectId?: number | SQL | null;
  readonly environmentId?: number | SQL | null;
  readonly before?: object | undefined;
  readonly after?: object | undefined;
  /** The id of the audit record that the change reverts. */
  readonly revertsId?: number | undefined;
  /** Why a change that a protected environment restricts needed no approval. */
  readonly override?: Override | undefined;
  /** The id of the change request that the change applies. */
  readonly changeRequestId?: number | undefined;
  readonly rampId?: number | undefined;
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
 * or the name of an API key, of a service account or of the system.
 */
export const actorName = (actor: Origin["actor"]): string =>
  actor.kind === "user" ? actor.email : actor.name;

/**
 * Returns the entries as the audit trail stores them: an update has only the fields that differ,
 * and large contents are shortened. An update that changes nothing is left out.
 */
export async function storedEntries(
  entries: readonly AuditEntry[],
  turns: Turns,
): Promise<AuditEntry[]> {
  const stored: AuditEntry[] = [];
  for (const entry of entries) {
    await turns.next(entry.after);
    const contents = changedContents(entry as Contents);
    if (!contents) continue;
    const capped = await cappedContents(contents, () => turns.next(entry.after));
    stored.push({ ...entry, ...capped });
  }
  return stored;
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
    revertsId: entry.revertsId ?? null,
    override: entry.override ?? null,
    changeRequestId: entry.changeRequestId ?? null,
    rampId: entry.rampId ?? null,
    onBehalfOf: origin.onBehalfOf ? actorName(origin.onBehalfOf) : null,
    tokenId: tokenOf(actor)?.id ?? null,
    tokenName: tokenOf(actor)?.name ?? null,
    via: origin.via ?? null,
    ip: origin.ip ?? null,
    traceId: origin.traceId,
  });
}

/** An entry without SQL expressions, so that one statement can insert many of them. */
interface PlainEntry extends AuditEntry {
  readonly action: AuditAction;
  readonly entityId: number | null;
  readonly projectId?: number | null;
  readonly environmentId?: number | null;
}

/** Whether no field of any entry is an SQL expression. */
export const arePlain = (entries: readonly AuditEntry[]): entries is readonly PlainEntry[] =>
  entries.every((entry) => !Object.values(entry).some((value) => value instanceof SQL));

/**
 * Returns the statements that insert many audit records, in the order of the entries. Their number
 * depends on the size of the records, and not on how many there are.
 */
export function* manyAuditStatements(
  { actor, onBehalfOf, via, reason, ip, traceId }: Origin,
  now: number,
  entries: readonly PlainEntry[],
): Pausing<SQL[]> {
  return (yield* jsonChunkSteps(entries)).map(
    (chunk) => sql`INSERT INTO audit (at, category, action, actor_kind, actor_id, actor_name,
        entity_type, entity_id, project_id, environment_id, before, after, reverts_id, override,
        change_request_id, ramp_id, on_behalf_of, token_id, token_name, via, reason, ip, trace_id)
      SELECT ${now}, coalesce(value ->> 'category', 'change'), value ->> 'action', ${actor.kind},
        ${actor.kind === "system" ? null : actor.id}, ${actorName(actor)}, value ->> 'entityType',
        value ->> 'entityId', value ->> 'projectId', value ->> 'environmentId',
        value -> 'before', value -> 'after', value ->> 'revertsId',
        value ->> 'override', value ->> 'changeRequestId', value ->> 'rampId',
        ${onBehalfOf ? actorName(onBehalfOf) : null}, ${tokenOf(actor)?.id ?? null},
        ${tokenOf(actor)?.name ?? null}, ${via ?? null}, ${reason ?? null}, ${ip ?? null}, ${traceId}
      FROM json_each(${chunk}) WHERE true ORDER BY key`,
  );
}
