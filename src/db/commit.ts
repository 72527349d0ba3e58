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

/** A condition that is checked inside the transaction. If it is false, nothing is written. */
export type Guard = ConditionGuard | QuotaGuard;

export interface ConditionGuard {
  /** An SQL condition, such as `EXISTS (SELECT …)`. */
  readonly holds: SQL;
  /** What `commit` throws when the condition is false. */
  readonly error: ApiError;
}

/** Anything that drizzle can turn into SQL: a `sql` template or a built, unexecuted statement. */
export interface Statement {
  getSQL(): SQL;
}

export interface Change {
  /** The first guard that fails decides the error. */
  readonly guards?: readonly Guard[];
  readonly statements: readonly Statement[];
  /** At least one entry: no write goes without an audit record. */
  readonly audit: readonly [AuditEntry, ...AuditEntry[]];
  readonly events?: readonly DomainEvent[];
  /** The id of a project that `statements` delete. Each of its flags gets a `flag.deleted` event. */
  readonly deletesProject?: number;
  /** SELECT of `(environment_id, flag_key, flag_name)`: the rules that this change alters. */
  readonly ruleChanges?: SQL;
  /** Thrown when the change violates a foreign key: a row is missing, or is still in use. */
  readonly onForeignKey?: ApiError;
  /** Thrown when the change violates a unique constraint. */
  readonly onDuplicate?: ApiError;
}

/** Whether the outbox has new events after the change. */
export const hasEvents = ({ events = [], deletesProject }: Change): boolean =>
  events.length > 0 || deletesProject !== undefined;

export interface Revision {
  readonly environmentId: number;
  readonly revision: number;
}

/** What `commit` needs besides the change itself. */
export interface Writer {
  readonly client: SqlClient;
  readonly origin: Origin;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly quotas: Quotas;
  /** Counts webhook deliveries that are held because the month's quota is used up. */
  readonly countHeld: (deliveries: number) => void;
}

/** A row that the statements of `outbox.ts` return. */
interface Held {
  readonly held?: number;
}

const dialect = new SQLiteSyncDialect();

/**
 * Writes a change in one D1 batch, which is one transaction: guards, state, audit records, outbox
 * events with their deliveries, and revisions.
 * Returns the new revision of every environment whose rules changed.
 * Throws: the error of the first guard that fails, `onDuplicate`, `onForeignKey`; otherwise what D1
 * throws.
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
 * Writes the service's own bookkeeping in one transaction, without an audit record: delivery
 * attempts, usage, the removal of expired rows.
 * Returns the rows of each statement.
 * Throws: what D1 throws.
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
    // The logger masks these values if the error's message repeats them (http/describe-error.ts).
    if (error instanceof Error)
      Object.assign(error, { params: queries.flatMap(({ params }) => params) });
    throw error;
  }
}

/** Inserts the guard's number if its condition is false; see `commitGuards`. */
function guardStatement(guard: ConditionGuard, n: number): SQL {
  return sql`INSERT INTO ${commitGuards} (failed) SELECT ${sql.raw(String(n))} WHERE NOT (${guard.holds})`;
}

/** The API error of a constraint violation; undefined for any other fault of the database. */
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
