import { type SQL, sql } from "drizzle-orm";
import { DELTA_MEMORY_MS } from "@feature-flags/client-api/changes";
import { DAY_MS } from "../core/lib/time.ts";
import { COUNTED_REFUSAL } from "../db/schema/records.ts";
import { monthOf } from "../db/outbox.ts";
import type { JobDeps } from "./deps.ts";

/** How much of a table one run deletes. */
interface Limits {
  /** The maximum number of rows that one DELETE deletes. */
  readonly rows: number;
  /** The maximum number of such statements in one run. */
  readonly statements: number;
  /** The columns that identify a row, separated by commas. Default: `rowid`, which a table WITHOUT ROWID does not have. */
  readonly key?: SQL;
}

export const CHUNK = 5_000;
export const MAX_CHUNKS = 20;
export const LIMITS: Limits = { rows: CHUNK, statements: MAX_CHUNKS };

/**
 * The limits for audit records. A record has up to 32 KB and six indexes, so one statement deletes
 * fewer rows. At one run an hour, these limits allow 240,000 deletions a day.
 */
const AUDIT_LIMITS: Limits = { rows: 100, statements: 100 };

/**
 * How long webhook deliveries are kept after they have ended, milliseconds. Succeeded deliveries
 * are kept so that users can see them, dead deliveries so that users can send them again.
 */
const KEEP_SUCCEEDED_MS = 30 * DAY_MS;
const KEEP_DEAD_MS = 90 * DAY_MS;

/**
 * How long the number of failed logins is kept after the last failed login and after the end of the
 * lock, milliseconds. After this time, the next failed login is counted as the first. Nine guesses a
 * day, which cause no lock, are too few to find a password.
 */
const KEEP_LOGIN_FAILURES_MS = DAY_MS;

/**
 * How long tokens are kept after they have expired, milliseconds, so that users see which token has
 * stopped working.
 */
const KEEP_TOKENS_MS = 90 * DAY_MS;

/**
 * How long authorisation codes are kept after they have expired, milliseconds, so that a code that is sent
 * again ends its grant.
 */
const KEEP_CODES_MS = DAY_MS;

/** How long the numbers of webhook deliveries of past months are kept, milliseconds. */
const KEEP_USAGE_MS = 366 * DAY_MS;

/** How long audit records of `REFUSED_SIGN_INS` are kept, milliseconds. */
const KEEP_REFUSED_MS = 366 * DAY_MS;

/**
 * The audit actions of refused sign-ins. Strangers can cause any number of such records, so the job
 * deletes these records earlier than others.
 */
const REFUSED_SIGN_INS = [
  "session.refused",
  COUNTED_REFUSAL,
  "session.refresh-refused",
  "session.sign-on-refused",
  "session.password-off",
  "user.locked",
  "mfa.failed",
  "mfa.locked",
];

/** Returns the SQL condition for the expired rows of each table. `now`: epoch milliseconds. */
const expired = (now: number, refreshTtlMs: number): Readonly<Record<string, SQL>> => ({
  webhook_deliveries: sql`status = 'succeeded' AND completed_at < ${now - KEEP_SUCCEEDED_MS}
    OR status = 'dead' AND completed_at < ${now - KEEP_DEAD_MS}`,
  outbox: sql`created_at < ${now - KEEP_SUCCEEDED_MS}
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = outbox.id)`,
  // Deletes the integrations of a deleted project when none of their deliveries is pending or held.
  // Deletes a disabled integration at once, because the service attempts none of its deliveries.
  integrations: sql`deleted_at IS NOT NULL AND (enabled = 0 OR NOT EXISTS
    (SELECT 1 FROM webhook_deliveries d
      WHERE d.integration_id = integrations.id AND d.status IN ('pending', 'held')))`,
  webhook_project_usage: sql`month < ${monthOf(now - KEEP_USAGE_MS)}`,
  rule_changes: sql`changed_at < ${now - DELTA_MEMORY_MS}`,
  user_tokens: sql`expires_at < ${now}`,
  sign_on_codes: sql`expires_at < ${now}`,
  device_logins: sql`expires_at < ${now}`,
  oauth_codes: sql`expires_at < ${now - KEEP_CODES_MS}`,
  // A revoked token expires, too. The access token of an agent expires long before its refresh token.
  // The first condition uses the index.
  access_tokens: sql`expires_at < ${now - KEEP_TOKENS_MS}
    AND coalesce(refresh_until, expires_at) < ${now - KEEP_TOKENS_MS}`,
  // Adds a day to the lifetime: a refresh writes `refreshed_at` at most once a day, so the last
  // refresh may be a day later than the row says.
  sessions: sql`refreshed_at < ${now - refreshTtlMs - DAY_MS} OR ends_at < ${now}`,
  login_failures: sql`last_at < ${now - KEEP_LOGIN_FAILURES_MS}
    AND coalesce(locked_until, 0) < ${now - KEEP_LOGIN_FAILURES_MS}`,
});

/**
 * The job that deletes the expired rows of the tables in `expired`, and expired signing secrets.
 * Throws the errors of the database; the next run continues.
 */
export async function sweep(deps: JobDeps): Promise<void> {
  const now = deps.now();
  await deps.record([
    sql`UPDATE integrations SET previous_secret = NULL, previous_secret_until = NULL
      WHERE previous_secret_until <= ${now}`,
  ]);
  for (const [table, condition] of Object.entries(expired(now, deps.refreshTtlMs)))
    await deleteAll(deps, table, condition);
}

/**
 * The job that deletes old audit records: those older than `AUDIT_RETENTION_DAYS`, if it is set,
 * and refused sign-ins after a year. Throws the errors of the database; the next run continues.
 */
export async function sweepAudit(deps: JobDeps): Promise<void> {
  const now = deps.now();
  const { auditRetentionMs } = deps;
  if (auditRetentionMs !== undefined)
    await deleteAll(deps, "audit", sql`at < ${now - auditRetentionMs}`, AUDIT_LIMITS);
  const refused = sql`action IN ${REFUSED_SIGN_INS} AND at < ${now - KEEP_REFUSED_MS}`;
  await deleteAll(deps, "audit", refused, AUDIT_LIMITS);
}

/**
 * Deletes the rows of a table that meet the condition, in chunks, so that no statement blocks the
 * database for long. Stops after the number of statements in `limits`.
 */
export async function deleteAll(
  deps: JobDeps,
  table: string,
  condition: SQL,
  limits: Limits = LIMITS,
): Promise<void> {
  const { key = sql`rowid` } = limits;
  const name = sql.identifier(table);
  for (let chunk = 0; chunk < limits.statements; chunk++) {
    const [deleted = []] = await deps.record([
      sql`DELETE FROM ${name} WHERE (${key}) IN
        (SELECT ${key} FROM ${name} WHERE ${condition} LIMIT ${limits.rows}) RETURNING 1`,
    ]);
    if (deleted.length < limits.rows) return;
  }
}
