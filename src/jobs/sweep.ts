import { type SQL, sql } from "drizzle-orm";
import { DELTA_MEMORY_MS } from "../core/rules/snapshot.ts";
import { DAY_MS } from "../core/lib/time.ts";
import type { JobDeps } from "./deps.ts";

/** Rows a statement deletes at most, and statements a table gets in one run. */
export const CHUNK = 5_000;
export const MAX_CHUNKS = 20;

/** How long what went well is kept for the list of deliveries, and what can still be sent again. */
const KEEP_SUCCEEDED_MS = 30 * DAY_MS;
const KEEP_DEAD_MS = 90 * DAY_MS;

/** A longer pause between two wrong passwords makes them no row of guesses. */
const KEEP_LOGIN_FAILURES_MS = 30 * DAY_MS;

/** What has expired, as a condition on each table. */
const expired = (now: number): Readonly<Record<string, SQL>> => ({
  webhook_deliveries: sql`status = 'succeeded' AND completed_at < ${now - KEEP_SUCCEEDED_MS}
    OR status = 'dead' AND completed_at < ${now - KEEP_DEAD_MS}`,
  outbox: sql`created_at < ${now - KEEP_SUCCEEDED_MS}
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = outbox.id)`,
  // Of a deleted project, once its last events have gone out.
  integrations: sql`deleted_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d
    WHERE d.integration_id = integrations.id AND d.status IN ('pending', 'held'))`,
  rule_changes: sql`changed_at < ${now - DELTA_MEMORY_MS}`,
  user_tokens: sql`expires_at < ${now}`,
  login_failures: sql`last_at < ${now - KEEP_LOGIN_FAILURES_MS}`,
});

/** Deletes what nobody can ask for any more. Errors: the database's; the next run goes on. */
export async function sweep(deps: JobDeps): Promise<void> {
  for (const [table, condition] of Object.entries(expired(deps.now())))
    await deleteAll(deps, table, condition);
}

/** In bites, so that no statement holds the database up. */
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
