import type { Pausing } from "@feature-flags/evaluation/pausing";
import { type SQL, sql } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { type ApiError, conflict } from "../core/errors/api-error.ts";
import { inTurns, Turns } from "../core/lib/turns.ts";
import { FAILED, type SqlClient } from "./database.ts";
import {
  arePlain,
  auditStatement,
  type AuditEntry,
  manyAuditStatements,
  storedEntries,
} from "./audit.ts";
import { type AuditQuota, recordBytes } from "./audit-quota.ts";
import type { Origin } from "./origin.ts";
import { flagsDeletedRecords, strategiesDeletedRecords } from "./deletion-records.ts";
import { type DomainEvent, eventStatements, flagsDeletedStatements, type Stamp } from "./outbox.ts";
import { assertions, type Check, type Guard, refusalOf } from "./guards.ts";
import type { Quotas } from "./quota.ts";
import { refusalStatement } from "./refusals.ts";
import { recordRuleChanges } from "./rule-changes.ts";
import { COUNTED_REFUSAL } from "./schema/records.ts";
import { assertFits } from "./transaction-size.ts";

/** A statement that drizzle can turn into SQL: a `sql` template, or a drizzle query that was not executed. */
export interface Statement {
  getSQL(): SQL;
}

/**
 * The deletion of a project with its environments, or of environments only. `commit` writes the
 * audit records of what is deleted with them: `flag.deleted`, with a webhook event, for each flag of
 * the project, or else `strategy.deleted` for each strategy in the environments.
 */
interface Deletion {
  readonly projectId?: number;
  readonly environmentIds: readonly number[];
}

export interface Change {
  /**
   * The conditions that must be true before the statements run. If several are false, `commit`
   * throws the error of the first.
   */
  readonly guards?: readonly Guard[];
  /** The conditions that must be true after the statements have run, in the same transaction. */
  readonly checks?: readonly Check[];
  readonly statements: readonly Statement[];
  /** Checks the change, and rolls it back. Default: false. */
  readonly dryRun?: boolean;
  /**
   * The audit records of the change. The type requires at least one, so that no change is written
   * without an audit record. If all entries are updates that change nothing, `commit` writes
   * nothing: no statement, no record, no event, no revision.
   */
  readonly audit: readonly [AuditEntry, ...AuditEntry[]];
  readonly events?: readonly DomainEvent[];
  /** The reason for the change, if the request gives none. */
  readonly reason?: string;
  /** What the change plans for a later time, for the scheduler of the project. */
  readonly plans?: Planned;
  /** The project that this change may hide from somebody. */
  readonly hides?: Hidden;
  readonly deletes?: Deletion;
  /**
   * A SELECT of `(environment_id, flag_key, flag_name)` with a row for each rule that this change
   * alters. A rule is a flag in one environment.
   */
  readonly ruleChanges?: SQL;
  /**
   * The error that `commit` throws if the change violates a foreign key: the change refers to a
   * missing row, or deletes a row that is still in use. If undefined, `commit` throws a general
   * 409.
   */
  readonly onForeignKey?: ApiError;
  /**
   * The error that `commit` throws if the change violates a unique constraint. If undefined,
   * `commit` throws a general 409.
   */
  readonly onDuplicate?: ApiError;
}

export interface Revision {
  readonly environmentId: number;
  readonly revision: number;
}

/**
 * A change of a project. Its number is the id of an audit record, so a later change of the project
 * has a higher number.
 */
export interface ProjectChange {
  readonly projectId: number;
  readonly change: number;
}

/** Something that the scheduler of a project does at a time. */
export interface Planned {
  readonly projectId: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A project that is hidden from a user, or from all who may not see it any more. */
export interface Hidden {
  readonly projectId: number;
  /** Undefined: all users. */
  readonly userId?: number;
}

export interface DeletedFlag {
  readonly projectId: number;
  readonly key: string;
}

/** What a commit has written, for the work after the commit. */
export interface Committed {
  /** The last change of every project that has a new audit record. */
  readonly changes: readonly ProjectChange[];
  /** The new revision of every environment whose rules changed. */
  readonly revisions: readonly Revision[];
  /** Whether the commit may have written webhook events to the outbox. */
  readonly hasEvents: boolean;
  readonly deletedEnvironments: readonly number[];
  /** The flags that the commit has deleted, without those of a deleted project. */
  readonly deletedFlags: readonly DeletedFlag[];
  readonly deletedProject: number | undefined;
  readonly hidden: Hidden | undefined;
  readonly planned: Planned | undefined;
}

const NOTHING: Committed = {
  changes: [],
  revisions: [],
  hasEvents: false,
  deletedEnvironments: [],
  deletedFlags: [],
  deletedProject: undefined,
  hidden: undefined,
  planned: undefined,
};

/** The dependencies of `commit`. */
export interface Writer {
  readonly client: SqlClient;
  readonly origin: Origin;
  /** Returns the current time in epoch milliseconds. */
  readonly now: () => number;
  readonly quotas: Quotas;
  readonly auditQuota: AuditQuota;
  /**
   * Counts the webhook deliveries that a commit has created with the status `held`, because the
   * month's quota is used up.
   */
  readonly countHeld: (deliveries: number) => void;
}

/**
 * A result row of the last statement of `fanOut` in outbox.ts. `held` is the number of webhook
 * deliveries of one event that are held, because the month's quota is used up.
 */
interface Held {
  readonly held?: number;
}

/** A result row of the statement that inserts an audit record. */
interface Audited {
  readonly change?: number;
  readonly changedProject?: number | null;
}

const dialect = new SQLiteSyncDialect();
/** Ends a dry run: the statement fails, and the failure rolls back the transaction. */
const ROLLBACK = sql.raw(`SELECT json_extract('{}', '${FAILED}: dry run')`);
const isRolledBack = (error: unknown) =>
  error instanceof Error && error.message.includes(`${FAILED}: dry run`);

/**
 * Writes a change in one D1 batch, which is one transaction. The batch contains the guards, the statements,
 * the audit records, the webhook events with their deliveries, and the new revisions. Writes nothing, and
 * checks no guard, if all audit entries are updates that change nothing. Throws: 400 for a change that is too
 * large for one transaction; 429 when the actor's quota of audit records is used up; the error of the first
 * guard or check that is false; `onDuplicate`, `onForeignKey` or a general 409 for a violated constraint;
 * errors of D1.
 */
export async function commit(writer: Writer, change: Change): Promise<Committed> {
  const { client, quotas } = writer;
  const turns = new Turns();
  const audit = await storedEntries(change.audit, turns);
  if (audit.length === 0) return NOTHING;
  const now = writer.now();
  const guards = [
    ...(change.dryRun ? [] : auditGuards(writer, await inTurns(recordBytes(audit), turns), now)),
    ...(change.guards ?? []),
  ];
  const { checks = [], deletes, events = [], ruleChanges } = change;
  const origin = { ...writer.origin, reason: writer.origin.reason ?? change.reason };
  const stamp = { origin, now, deliveryLimit: quotas.WEBHOOK_DELIVERIES };
  const checked: Statement[] = [
    ...assertions(guards, 0, quotas),
    ...(deletes ? deletionStatements(stamp, deletes) : []),
    ...change.statements,
    ...assertions(checks, guards.length, quotas),
  ];
  const statements = change.dryRun
    ? [...checked, ROLLBACK]
    : [
        ...checked,
        ...(await inTurns(recordStatements(stamp, audit), turns)),
        ...(await inTurns(eventStatements(stamp, events), turns)),
        ...(ruleChanges ? recordRuleChanges(ruleChanges, now) : []),
      ];
  try {
    const results = await run<Revision & Held & Audited>(client, statements);
    const rows = results.flatMap((result) => result.results);
    writer.countHeld(rows.reduce((sum, { held = 0 }) => sum + held, 0));
    return {
      changes: lastChanges(rows),
      revisions: ruleChanges ? (results.at(-1)?.results ?? []) : [],
      hasEvents: events.length > 0 || deletes?.projectId !== undefined,
      deletedEnvironments: deletes?.environmentIds ?? [],
      deletedFlags: events.flatMap(deletedFlagOf),
      deletedProject: deletes?.projectId,
      hidden: change.hides,
      planned: change.plans,
    };
  } catch (error) {
    if (change.dryRun && isRolledBack(error)) return NOTHING;
    throw (await errorOf(error, { ...change, guards }, writer)) ?? error;
  }
}

const auditGuards = (
  { auditQuota, origin: { actor }, quotas }: Writer,
  bytes: number,
  now: number,
) => auditQuota.guards({ actor, bytes, now, quota: quotas.AUDIT_BYTES });

/** Returns the statements that insert audit records and return their ids (see `Audited`). */
function* recordStatements(
  { origin, now }: Stamp,
  entries: readonly AuditEntry[],
): Pausing<readonly SQL[]> {
  const [first, second] = entries;
  if (first?.action === COUNTED_REFUSAL) return [refusalStatement(origin, now)];
  const inserts =
    second !== undefined && arePlain(entries)
      ? yield* manyAuditStatements(origin, now, entries)
      : entries.map((entry) => auditStatement(origin, now, entry).getSQL());
  return inserts.map(
    (insert) => sql`${insert} RETURNING id AS change, project_id AS changedProject`,
  );
}

/** Returns the last change of each project, from the result rows of a commit. */
function lastChanges(rows: readonly Audited[]): readonly ProjectChange[] {
  const last = new Map<number, number>();
  for (const { change, changedProject } of rows)
    if (change !== undefined && typeof changedProject === "number")
      last.set(changedProject, Math.max(change, last.get(changedProject) ?? 0));
  return Array.from(last, ([projectId, change]) => ({ projectId, change }));
}

const deletedFlagOf = ({ type, projectId, data }: DomainEvent): readonly DeletedFlag[] =>
  type === "flag.deleted" ? [{ projectId, key: (data["flag"] as DeletedFlag).key }] : [];

const deletionStatements = (stamp: Stamp, { projectId, environmentIds }: Deletion) =>
  projectId === undefined
    ? [strategiesDeletedRecords(stamp, environmentIds)]
    : [flagsDeletedRecords(stamp, projectId), ...flagsDeletedStatements(stamp, projectId)];

/**
 * Executes statements in one transaction, without an audit record. The statements write internal
 * data of the service: webhook delivery attempts, usage, the deletion of expired rows.
 * Returns the result rows of each statement. Throws: errors of D1.
 */
export async function record<Row>(
  client: SqlClient,
  statements: readonly Statement[],
): Promise<readonly (readonly Row[])[]> {
  const results = await run<Row>(client, statements);
  return results.map(({ results: rows }) => rows);
}

async function run<Row>(client: SqlClient, statements: readonly Statement[]) {
  const queries = statements.map((statement) => dialect.sqlToQuery(statement.getSQL()));
  const parameters = queries.flatMap(({ params }) => params);
  assertFits(parameters);
  try {
    const prepared = queries.map((query) => client.prepare(query.sql).bind(...query.params));
    return await client.batch<Row>(prepared);
  } catch (error) {
    // Adds the values of the statements to the error, where `describeError` reads them. The logger
    // masks these values if the error's message repeats them.
    if (error instanceof Error) Object.assign(error, { params: parameters });
    throw error;
  }
}

/**
 * Returns the API error for a change that a guard, a check, a unique constraint or a foreign key has
 * rejected; undefined for any other error.
 */
async function errorOf(
  error: unknown,
  { guards = [], checks = [], onDuplicate, onForeignKey }: Change,
  { client, quotas }: Writer,
): Promise<ApiError | undefined> {
  const message = error instanceof Error ? error.message : "";
  const read = async (query: SQL) => (await run<never>(client, [query]))[0]?.results ?? [];
  const refusal = await refusalOf(message, [...guards, ...checks], quotas, read);
  if (refusal) return refusal;
  if (message.includes("UNIQUE constraint failed"))
    return onDuplicate ?? conflict("A resource with the same unique value already exists");
  if (message.includes("FOREIGN KEY constraint failed"))
    return (
      onForeignKey ??
      conflict(
        "The change refers to a resource that does not exist, or deletes one that is still in use",
      )
    );
  return undefined;
}
