import { type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "../../core/lib/time.ts";
import { flagUsage, flagUsageDays } from "../../db/schema/usage.ts";
import type { JobDeps } from "../deps.ts";
import { CHUNK, deleteAll, MAX_CHUNKS } from "../sweep.ts";

/**
 * How long hourly and daily counts are kept, milliseconds (docs/api.md). Daily ones: 2 years, one
 * of them a leap year.
 */
export const KEEP_HOURS_MS = 90 * DAY_MS;
const KEEP_DAYS_MS = (365 + 366) * DAY_MS;
/** How long SDK instances and the usage that they reported are kept, milliseconds. */
export const KEEP_INSTANCES_MS = 7 * DAY_MS;

/**
 * How long the ids of counted reports are kept, milliseconds. The queue retries for about 14 hours,
 * so a report cannot be repeated after that.
 */
export const KEEP_COUNTED_MS = DAY_MS;

/**
 * Adds old hourly counts up to daily ones, and deletes expired usage. Throws whatever the database
 * throws.
 */
export async function sweepUsage(deps: JobDeps): Promise<void> {
  const now = deps.now();
  await foldHours(deps, startOfDay(now - KEEP_HOURS_MS));
  const expired: Readonly<Record<string, SQL>> = {
    flag_usage_days: sql`day < ${startOfDay(now - KEEP_DAYS_MS)}`,
    instance_usage: sql`hour < ${startOfDay(now - KEEP_INSTANCES_MS)}`,
    client_instances: sql`last_seen_at < ${now - KEEP_INSTANCES_MS}`,
  };
  for (const [table, condition] of Object.entries(expired)) await deleteAll(deps, table, condition);
}

/**
 * Deletes old ids of counted reports. Runs every minute, because there is one row for each report.
 * Throws whatever the database throws.
 */
export const sweepCountedReports = (deps: JobDeps): Promise<void> =>
  deleteAll(deps, "counted_reports", sql`at < ${deps.now() - KEEP_COUNTED_MS}`);

/** Returns the start of the day in UTC. */
const startOfDay = (time: number) => time - (time % DAY_MS);

/**
 * Adds the hourly counts before `end` to the daily ones, and deletes them. Both happen in one
 * transaction, so each row is added exactly once.
 */
async function foldHours(deps: JobDeps, end: number): Promise<void> {
  // The order is unambiguous, because both statements must select the same rows.
  const oldest = sql`SELECT rowid FROM ${flagUsage} WHERE hour < ${end}
    ORDER BY hour, rowid LIMIT ${CHUNK}`;
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk++) {
    const [, moved = []] = await deps.record([
      sql`INSERT INTO ${flagUsageDays} (flag_id, environment_id, day, t, f)
        SELECT flag_id, environment_id, hour - hour % ${DAY_MS} AS start, sum(t), sum(f)
        FROM ${flagUsage} WHERE rowid IN (${oldest}) GROUP BY flag_id, environment_id, start
        ON CONFLICT (flag_id, environment_id, day) DO UPDATE SET t = t + excluded.t, f = f + excluded.f`,
      sql`DELETE FROM ${flagUsage} WHERE rowid IN (${oldest}) RETURNING 1`,
    ]);
    if (moved.length < CHUNK) return;
  }
}
