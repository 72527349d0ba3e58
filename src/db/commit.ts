import { type SQL, sql } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { type ApiError, conflict } from "../core/errors/api-error.ts";
import type { SqlClient } from "./database.ts";
import { auditStatement, type AuditEntry } from "./audit.ts";
import type { Origin } from "./origin.ts";
import { type DomainEvent, eventStatements, flagsDeletedStatements } from "./outbox.ts";
import { quotaCondition, type QuotaGuard, type Quotas } from "./quota.ts";
import { recordRuleChanges } from "./rule-changes.ts";
import { commitGuards, MAX_GUARDS } from "./schema/records.ts";

/**
 * A condition of a change, which `commit` checks inside the transaction. If the condition is false,
 * nothing is written and `commit` throws.
 */
export type Guard = ConditionGuard | QuotaGuard;

export interface ConditionGuard {
  /** The SQL condition that must be true, such as `EXISTS (SELECT …)`. */
  readonly holds: SQL;
  /** The error that `commit` throws if the condition is false. */
  readonly error: ApiError;
}

/**
 * A statement that drizzle can turn into SQL: a `sql` template, or a drizzle query that was not
 * executed.
 */
export interface Statement {
  getSQL(): SQL;
}

export interface Change {
  /**
   * The conditions of the change, at most `MAX_GUARDS`. If several are false, `commit` throws the
   * error of the first.
   */
  readonly guards?: readonly Guard[];
  readonly statements: readonly Statement[];
  /**
   * The audit records of the change. The type requires at least one, so that no change is written
   * without an audit record.
   */
  readonly audit: readonly [AuditEntry, ...AuditEntry[]];
  readonly events?: readonly DomainEvent[];
  /**
   * The id of the project that `statements` delete. `commit` writes a `flag.deleted` webhook event
   * for each flag of the project.
   */
  readonly deletesProject?: number;
  /**
   * A SELECT of `(environment_id, flag_key, flag_name)` with a row for each rule that this change
   * alters. A rule is a flag in one environment.
   */
  readonly ruleChanges?: SQL;
  /**
   * The error that `commit` throws if the change violates a foreign key, because the change refers
   * to a missing row or deletes a row that is still in use. Undefined: a general 409.
   */
  readonly onForeignKey?: ApiError;
  /**
   * The error that `commit` throws if the change violates a unique constraint. Undefined: a general
   * 409.
   */
  readonly onDuplicate?: ApiError;
}

/**
 * Returns whether the change can write webhook events to the outbox. The deletion of a project
 * writes an event for each flag of the project.
 */
export const hasEvents = ({ events = [], deletesProject }: Change): boolean =>
  events.length > 0 || deletesProject !== undefined;

export interface Revision {
  readonly environmentId: number;
  readonly revision: number;
}

/** The dependencies of `commit`. */
export interface Writer {
  readonly client: SqlClient;
  readonly origin: Origin;
  /** Returns the current time in epoch milliseconds. */
  readonly now: () => number;
  readonly quotas: Quotas;
  /**
   * Counts the webhook deliveries that a commit has created with the status `held`, because the
   * month's quota is used up.
   */
  readonly countHeld: (deliveries: number) => void;
}

/**
 * A result row of the last statement of `fanOut` in outbox.ts: the number of webhook deliveries of
 * one event that are held.
 */
interface Held {
  readonly held?: number;
}

const dialect = new SQLiteSyncDialect();

/**
 * Writes a change in one D1 batch, which is one transaction: guards, statements, audit records,
 * webhook events with their deliveries, and revisions. Returns the new revision of every
 * environment whose rules changed.
 * Throws: the error of the first guard that fails; `onDuplicate`, `onForeignKey` or a general 409
 * for a violated constraint; errors of D1.
 */
export async function commit(writer: Writer, change: Change): Promise<readonly Revision[]> {
  const { client, origin, quotas } = writer;
  const guards = (change.guards ?? []).map((guard) =>
    "quota" in guard ? quotaCondition(guard, quotas) : guard,
  );
  if (guards.length > MAX_GUARDS)
    throw new Error(`A commit must not have more than ${MAX_GUARDS} guards`);
  const now = writer.now();
  const stamp = { origin, now, deliveryLimit: quotas.WEBHOOK_DELIVERIES };
  const statements: Statement[] = [
    ...guards.map(guardStatement),
    ...(change.deletesProject === undefined
      ? []
      : flagsDeletedStatements(stamp, change.deletesProject)),
    ...change.statements,
    ...change.audit.map((entry) => auditStatement(origin, now, entry)),
    ...eventStatements(stamp, change.events ?? []),
    ...(change.ruleChanges ? recordRuleChanges(change.ruleChanges, now) : []),
  ];
  try {
    const results = await run<Revision & Held>(client, statements);
    const rows = results.flatMap((result) => result.results);
    writer.countHeld(rows.reduce((sum, { held = 0 }) => sum + held, 0));
    return change.ruleChanges ? (results.at(-1)?.results ?? []) : [];
  } catch (error) {
    throw errorOf(error, change, guards) ?? error;
  }
}

/**
 * Executes statements on internal data of the service in one transaction, without an audit record:
 * webhook delivery attempts, usage, the deletion of expired rows.
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
  try {
    const prepared = queries.map((query) => client.prepare(query.sql).bind(...query.params));
    return await client.batch<Row>(prepared);
  } catch (error) {
    // `describeError` reads `params` from the error, so that the logger can mask the values of the
    // statements if the error's message repeats them.
    if (error instanceof Error)
      Object.assign(error, { params: queries.flatMap(({ params }) => params) });
    throw error;
  }
}

/**
 * Returns the statement that checks a guard. If the guard's condition is false, the statement
 * inserts the index of the guard, which a check constraint rejects (see `commitGuards`).
 */
function guardStatement(guard: ConditionGuard, n: number): SQL {
  return sql`INSERT INTO ${commitGuards} (failed) SELECT ${sql.raw(String(n))} WHERE NOT (${guard.holds})`;
}

/**
 * Returns the API error for a change that a guard, a unique constraint or a foreign key has
 * rejected; undefined for any other error.
 */
function errorOf(
  error: unknown,
  change: Change,
  guards: readonly ConditionGuard[],
): ApiError | undefined {
  const message = error instanceof Error ? error.message : "";
  const guard = /CHECK constraint failed: guard_(\d)/.exec(message)?.[1];
  if (guard !== undefined) return guards[Number(guard)]?.error;
  if (message.includes("UNIQUE constraint failed"))
    return change.onDuplicate ?? conflict("A resource with the same unique value already exists");
  if (message.includes("FOREIGN KEY constraint failed"))
    return (
      change.onForeignKey ??
      conflict(
        "The change refers to a resource that does not exist, or deletes one that is still in use",
      )
    );
  return undefined;
}
