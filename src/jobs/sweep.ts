import { type SQL, sql } from "drizzle-orm";
import { DELTA_MEMORY_MS } from "../core/rules/snapshot.ts";
import { DAY_MS } from "../core/lib/time.ts";
import type { JobDeps } from "./deps.ts";

/**
 * The most rows that one DELETE deletes, and the most such statements that a run makes for a table.
 */
export const CHUNK = 5_000;
export const MAX_CHUNKS = 20;

/**
 * How long webhook deliveries are kept after they have ended, milliseconds. Succeeded deliveries
 * are kept for the list of deliveries, dead ones so that a user can send them again.
 */
const KEEP_SUCCEEDED_MS = 30 * DAY_MS;
const KEEP_DEAD_MS = 90 * DAY_MS;

/**
 * How long the number of failed logins is kept after the last one, milliseconds. A later failed
 * login is counted as the first.
 */
const KEEP_LOGIN_FAILURES_MS = 30 * DAY_MS;

/**
 * Returns, for each table, the SQL condition that its expired rows meet. `now`: epoch milliseconds.
 */
const expired = (now: number): Readonly<Record<string, SQL>> => ({
  webhook_deliveries: sql`status = 'succeeded' AND completed_at < ${now - KEEP_SUCCEEDED_MS}
    OR status = 'dead' AND completed_at < ${now - KEEP_DEAD_MS}`,
  outbox: sql`created_at < ${now - KEEP_SUCCEEDED_MS}
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = outbox.id)`,
  // The integrations of a deleted project are deleted when none of their deliveries is pending or
  // held.
  integrations: sql`deleted_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d
    WHERE d.integration_id = integrations.id AND d.status IN ('pending', 'held'))`,
  rule_changes: sql`changed_at < ${now - DELTA_MEMORY_MS}`,
  user_tokens: sql`expires_at < ${now}`,
  login_failures: sql`last_at < ${now - KEEP_LOGIN_FAILURES_MS}`,
});

/**
 * The job that deletes the expired rows of the tables in `expired`. Throws whatever the database
 * throws; the next run continues.
 */
export async function sweep(deps: JobDeps): Promise<void> {
  for (const [table, condition] of Object.entries(expired(deps.now())))
    await deleteAll(deps, table, condition);
}

/**
 * Deletes the rows of a table that meet the condition, in chunks, so that no statement blocks the
 * database for long. Stops after `MAX_CHUNKS` chunks.
 */
export async function deleteAll(deps: JobDeps, table: string, condition: SQL): Promise<void> {
  const name = sql.identifier(table);
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk++) {
    const [deleted = []] = await deps.record([
      sql`DELETE FROM ${name} WHERE rowid IN
        (SELECT rowid FROM ${name} WHERE ${condition} LIMIT ${CHUNK}) RETURNING 1`,
    ]);
    if (deleted.length < CHUNK) return;
  }
}
