import { type SQL, sql } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { ApiError, conflict } from "../core/errors/api-error.ts";
import type { SqlClient } from "./database.ts";
import { auditStatement, type AuditEntry } from "./audit.ts";
import type { Origin } from "./origin.ts";
import { type DomainEvent, eventStatements } from "./outbox.ts";
import { recordRuleChanges } from "./rule-changes.ts";
import { commitGuards, MAX_GUARDS } from "./schema/records.ts";

/** Something that must be true inside the transaction, or nothing is written. */
export interface Guard {
  /** An SQL condition, such as `EXISTS (SELECT …)`. */
  readonly holds: SQL;
  readonly otherwise: ApiError;
}

/** Anything that drizzle can turn into SQL: a `sql` template or a built, unexecuted statement. */
export interface Statement {
  getSQL(): SQL;
}

export interface Change {
  readonly guards?: readonly Guard[];
  readonly statements: readonly Statement[];
  /** At least one: a write without an audit record does not exist. */
  readonly audit: readonly [AuditEntry, ...AuditEntry[]];
  readonly events?: readonly DomainEvent[];
  /** SELECT of `(environment_id, flag_key, flag_name)`: the rules that this change alters. */
  readonly ruleChanges?: SQL;
  /** The answer when a row that a foreign key needs is gone, or one that it protects is in use. */
  readonly onForeignKey?: ApiError;
  /** The answer when a unique constraint refuses the change. */
  readonly onDuplicate?: ApiError;
}

export interface Revision {
  readonly environmentId: number;
  readonly revision: number;
}

/** What statements that set deliveries on their way answer. */
interface Held {
  readonly held?: number;
}

const dialect = new SQLiteSyncDialect();

/**
 * The writer of every change: guards, state, audit, outbox with deliveries, and revisions in one D1
 * batch, which is one transaction. `deliveryLimit` is the monthly quota of webhook deliveries.
 * Answers the new revision of every environment whose rules changed; `onHeld` hears how many
 * deliveries are beyond the quota.
 * Errors: the guard's, `onDuplicate`, `onForeignKey`; anything else as D1 throws it.
 */
export async function commit(
  client: SqlClient,
  origin: Origin,
  now: number,
  change: Change,
  deliveryLimit: number,
  onHeld: (deliveries: number) => void,
): Promise<readonly Revision[]> {
  const guards = change.guards ?? [];
  if (guards.length > MAX_GUARDS) throw new Error(`more than ${MAX_GUARDS} guards`);
  const statements: Statement[] = [
    ...guards.map(guardStatement),
    ...change.statements,
    ...change.audit.map((entry) => auditStatement(origin, now, entry)),
    ...eventStatements(origin, now, change.events ?? [], deliveryLimit),
    ...(change.ruleChanges ? recordRuleChanges(change.ruleChanges, now) : []),
  ];
  try {
    const results = await run<Revision & Held>(client, statements);
    const rows = results.flatMap((result) => result.results);
    onHeld(rows.reduce((sum, { held = 0 }) => sum + held, 0));
    return change.ruleChanges ? (results.at(-1)?.results ?? []) : [];
  } catch (error) {
    throw refusal(error, change) ?? error;
  }
}

/**
 * Writes what the service keeps for itself and nobody did: how a delivery went, what was used, what
 * is too old. One transaction, no audit record; the rows of each statement are answered.
 * Errors: as D1 throws them.
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
    // For the log, which must not repeat them (http/describe-error.ts).
    if (error instanceof Error)
      Object.assign(error, { params: queries.flatMap(({ params }) => params) });
    throw error;
  }
}

function guardStatement(guard: Guard, n: number): SQL {
  return sql`INSERT INTO ${commitGuards} (failed) SELECT ${sql.raw(String(n))} WHERE NOT (${guard.holds})`;
}

function refusal(error: unknown, change: Change): ApiError | undefined {
  const message = error instanceof Error ? error.message : "";
  const guard = /CHECK constraint failed: guard_(\d)/.exec(message)?.[1];
  if (guard !== undefined) return change.guards?.[Number(guard)]?.otherwise;
  if (message.includes("UNIQUE constraint failed"))
    return change.onDuplicate ?? conflict("It already exists");
  if (message.includes("FOREIGN KEY constraint failed"))
    return change.onForeignKey ?? conflict("Something that this depends on is gone");
  return undefined;
}
