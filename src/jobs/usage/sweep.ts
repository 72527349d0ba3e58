import { type SQL, sql } from "drizzle-orm";
import { DAY_MS, startOfDay } from "../../core/lib/time.ts";
import {
  flagUsage,
  flagUsageDays,
  flagVariantUsage,
  flagVariantUsageDays,
} from "../../db/schema/usage.ts";
import type { JobDeps } from "../deps.ts";
import { CHUNK, deleteAll, MAX_CHUNKS } from "../sweep.ts";

/**
 * How long hourly and daily usage counts are kept, milliseconds (docs/api.md). Daily counts are
 * kept for 2 years. One of the 2 years may be a leap year.
 */
export const KEEP_HOURS_MS = 90 * DAY_MS;
const KEEP_DAYS_MS = (365 + 366) * DAY_MS;
/** How long SDK instances and the usage that they reported are kept, milliseconds. */
export const KEEP_INSTANCES_MS = 7 * DAY_MS;

/**
 * How long the ids of counted usage reports are kept, milliseconds. The usage queue retries for
 * about 14 hours, so it cannot deliver a report again after a day.
 */
export const KEEP_COUNTED_MS = DAY_MS;

/**
 * The hourly job that adds old hourly usage counts to the daily counts, and deletes expired usage.
 * Throws whatever the database throws; the next run continues.
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
 * The job that deletes the expired ids of counted usage reports. Runs every minute, because the
 * table gets a row for each usage report. Throws errors of the database.
 */
export const sweepCountedReports = (deps: JobDeps): Promise<void> =>
  deleteAll(deps, "counted_reports", sql`at < ${deps.now() - KEEP_COUNTED_MS}`);

/**
 * Adds the hourly usage counts before `end` (epoch milliseconds) to the daily counts, and deletes
 * the hourly counts. The foreign key deletes the hourly counts by variant. Each chunk is one
 * transaction, so that each row is added exactly once.
 */
async function foldHours(deps: JobDeps, end: number): Promise<void> {
  // The INSERT and the DELETE must select the same rows, so the order of the rows is unambiguous.
  const oldest = sql`SELECT rowid FROM ${flagUsage} WHERE hour < ${end}
    ORDER BY hour, rowid LIMIT ${CHUNK}`;
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk++) {
    const [, , moved = []] = await deps.record([
      sql`INSERT INTO ${flagUsageDays} (flag_id, environment_id, day, t, f)
        SELECT flag_id, environment_id, hour - hour % ${DAY_MS} AS start, sum(t), sum(f)
        FROM ${flagUsage} WHERE rowid IN (${oldest}) GROUP BY flag_id, environment_id, start
        ON CONFLICT (flag_id, environment_id, day) DO UPDATE SET t = t + excluded.t, f = f + excluded.f`,
      sql`INSERT INTO ${flagVariantUsageDays} (flag_id, environment_id, day, variant, n)
        SELECT v.flag_id, v.environment_id, v.hour - v.hour % ${DAY_MS} AS start, v.variant, sum(v.n)
        FROM ${flagUsage} u CROSS JOIN ${flagVariantUsage} v
          ON v.flag_id = u.flag_id AND v.environment_id = u.environment_id AND v.hour = u.hour
        WHERE u.rowid IN (${oldest}) GROUP BY v.flag_id, v.environment_id, start, v.variant
        ON CONFLICT (flag_id, environment_id, day, variant) DO UPDATE SET n = n + excluded.n`,
      sql`DELETE FROM ${flagUsage} WHERE rowid IN (${oldest}) RETURNING 1`,
    ]);
    if (moved.length < CHUNK) return;
  }
}
