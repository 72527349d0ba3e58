import { type SQL, sql } from "drizzle-orm";
import { DAY_MS, startOfDay } from "../../core/lib/time.ts";
import { flagUsageDays, flagVariantUsageDays, usageHours } from "../../db/schema/usage.ts";
import type { JobDeps } from "../deps.ts";
import { CHUNK, deleteAll, LIMITS, MAX_CHUNKS } from "../sweep.ts";

/**
 * How long hourly and daily usage counts are kept, milliseconds (docs/use/api.md). Daily counts are
 * kept for 2 years. One of the 2 years may be a leap year.
 */
const KEEP_HOURS_MS = 90 * DAY_MS;
const KEEP_DAYS_MS = (365 + 366) * DAY_MS;
/** How long usage by application is kept, milliseconds. */
const KEEP_APPS_MS = 30 * DAY_MS;
/** How long the ids of writes are kept, milliseconds. A usage object repeats a write every minute. */
const KEEP_IDS_MS = DAY_MS;

/**
 * The hourly job that adds old hourly usage counts to the daily counts, and deletes expired usage.
 * Throws the errors of the database; the next run continues.
 */
export async function sweepUsage(deps: JobDeps): Promise<void> {
  const now = deps.now();
  const end = startOfDay(now - KEEP_HOURS_MS);
  await foldHours(deps, end);
  await deleteAll(deps, "flag_usage_days", sql`day < ${startOfDay(now - KEEP_DAYS_MS)}`);
  const apps = sql`hour < ${startOfDay(now - KEEP_APPS_MS)}`;
  const appKey = sql`environment_id, app_name, hour`;
  await deleteAll(deps, "app_usage", apps, { ...LIMITS, key: appKey });
  const ids = sql`at < ${now - KEEP_IDS_MS}`;
  await deleteAll(deps, "usage_writes", ids, { ...LIMITS, key: sql`id` });
}

/**
 * Adds the hourly usage counts before `end` (epoch milliseconds) to the daily counts, and deletes
 * the hourly counts. Each chunk is one transaction, so that each row is added exactly once.
 */
async function foldHours(deps: JobDeps, end: number): Promise<void> {
  // Looks up each flag and environment, because the table has no index by hour. All statements must
  // select the same rows, so the order of the rows is unambiguous.
  const oldest = sql`SELECT u.flag_id, u.environment_id, u.hour FROM environments e
    CROSS JOIN flags f ON f.project_id = e.project_id
    CROSS JOIN ${usageHours} u ON u.flag_id = f.id AND u.environment_id = e.id AND u.hour < ${end}
    ORDER BY e.id, f.id, u.hour LIMIT ${CHUNK}`;
  const isOldest = sql`(u.flag_id, u.environment_id, u.hour) IN (${oldest})`;
  await inChunks(deps, [
    sql`INSERT INTO ${flagUsageDays} (flag_id, environment_id, day, t, f)
      SELECT flag_id, environment_id, hour - hour % ${DAY_MS} AS start, sum(t), sum(f)
      FROM ${usageHours} u WHERE ${isOldest} GROUP BY flag_id, environment_id, start
      ON CONFLICT (flag_id, environment_id, day) DO UPDATE SET t = t + excluded.t, f = f + excluded.f`,
    sql`INSERT INTO ${flagVariantUsageDays} (flag_id, environment_id, day, variant, n)
      SELECT u.flag_id, u.environment_id, u.hour - u.hour % ${DAY_MS} AS start, v.key, sum(v.value)
      FROM ${usageHours} u CROSS JOIN json_each(u.variants) v
      WHERE ${isOldest} GROUP BY u.flag_id, u.environment_id, start, v.key
      ON CONFLICT (flag_id, environment_id, day, variant) DO UPDATE SET n = n + excluded.n`,
    sql`DELETE FROM ${usageHours} AS u WHERE ${isOldest} RETURNING 1`,
  ]);
}

/** Runs statements as one transaction until the last one deletes less than a chunk. */
async function inChunks(deps: JobDeps, statements: readonly SQL[]): Promise<void> {
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk++) {
    const results = await deps.record(statements);
    if ((results.at(-1) ?? []).length < CHUNK) return;
  }
}
