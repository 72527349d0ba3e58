import { type SQL, sql } from "drizzle-orm";
import { MIN_MARK_INTERVAL_MS } from "../../core/usage/message-types.ts";
import type { HourTotal, SeenInstance, UsageTotals } from "../../core/usage/roll-up.ts";
import type { ReadDb } from "../../db/database.ts";
import { jsonList } from "../../db/json-list.ts";
import { apiKeys, environments, flags } from "../../db/schema/projects.ts";
import {
  clientInstances,
  countedReports,
  flagUsage,
  instanceUsage,
} from "../../db/schema/usage.ts";

// The usage statements bind each list as one JSON value, because D1 allows 100 parameters per
// statement. List entries of a deleted flag or environment match no row in the joins, so they are
// not written.

/**
 * The statement that inserts the ids of usage reports. The primary key rejects an id that was
 * counted before, and with this id the whole transaction.
 */
export const insertReports = (ids: readonly string[], now: number): SQL => sql`
  INSERT INTO ${countedReports} (id, at) SELECT value, ${now} FROM json_each(${JSON.stringify(ids)})`;

export const isAlreadyCounted = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("UNIQUE constraint failed: counted_reports.id");

/** Returns those of the ids whose usage reports were counted before. */
export async function findCounted(
  db: ReadDb,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ id: countedReports.id })
    .from(countedReports)
    .where(sql`${countedReports.id} IN ${jsonList(ids)}`);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Returns the usage totals of flags as JSON: `[[environment, hour, [[flag key, t, f, milliseconds
 * from the hour to the last report], …]], …]`.
 */
const flagList = (totals: readonly HourTotal[]) =>
  JSON.stringify(
    totals.map(({ environmentId, hour, flags: byKey }) => [
      environmentId,
      hour,
      [...byKey].map(([key, { t, f, lastAt }]) => [key, t, f, lastAt - hour]),
    ]),
  );

/**
 * The FROM clause with one row per hour (`h`) and flag (`u`) of `flagList`, joined with the
 * environment (`e`) and the row of the flag (`r`).
 */
const reported = (totals: readonly HourTotal[]): SQL => sql`
  json_each(${flagList(totals)}) h
  CROSS JOIN json_each(h.value, '$[2]') u
  CROSS JOIN ${environments} e ON e.id = h.value ->> 0
  CROSS JOIN ${flags} r ON r.project_id = e.project_id AND r.key = u.value ->> 0`;

export const addFlagUsage = (totals: readonly HourTotal[]): SQL => sql`
  INSERT INTO ${flagUsage} (flag_id, environment_id, hour, t, f)
  SELECT r.id, e.id, h.value ->> 1, u.value ->> 1, u.value ->> 2 FROM ${reported(totals)} WHERE true
  ON CONFLICT (flag_id, environment_id, hour) DO UPDATE SET t = t + excluded.t, f = f + excluded.f`;

export const markFlags = (totals: readonly HourTotal[]): SQL => sql`
  UPDATE ${flags} SET last_used_at = used.at
  FROM (SELECT r.id AS id, max((h.value ->> 1) + (u.value ->> 3)) AS at
    FROM ${reported(totals)} GROUP BY r.id) used
  WHERE flags.id = used.id AND ${isDue(sql`flags.last_used_at`, sql`used.at`)}`;

export const markKeys = (keys: UsageTotals["keys"]): SQL => sql`
  UPDATE ${apiKeys} SET last_used_at = used.at
  FROM (SELECT value ->> 0 AS id, value ->> 1 AS at FROM json_each(${JSON.stringify([...keys])})) used
  WHERE api_keys.id = used.id AND ${isDue(sql`api_keys.last_used_at`, sql`used.at`)}`;

const isDue = (written: SQL, seen: SQL): SQL =>
  sql`(${written} IS NULL OR ${seen} - ${written} >= ${MIN_MARK_INTERVAL_MS})`;

export const addInstanceUsage = (totals: UsageTotals["instances"]): SQL => sql`
  INSERT INTO ${instanceUsage} (environment_id, hour, app_name, instance_id, evaluations)
  SELECT e.id, i.value ->> 'hour', i.value ->> 'appName', i.value ->> 'instanceId',
    i.value -> 'evaluations'
  FROM json_each(${JSON.stringify(totals.map(withEvaluations))}) i
  CROSS JOIN ${environments} e ON e.id = i.value ->> 'environmentId' WHERE true
  ON CONFLICT (environment_id, instance_id, app_name, hour) DO UPDATE SET evaluations = (
    SELECT json_group_object(key, json_array(t, f)) FROM (
      SELECT key, sum(value ->> 0) AS t, sum(value ->> 1) AS f FROM (
        SELECT key, value FROM json_each(instance_usage.evaluations)
        UNION ALL SELECT key, value FROM json_each(excluded.evaluations))
      GROUP BY key))`;

const withEvaluations = ({ flags: byKey, ...total }: UsageTotals["instances"][number]) => ({
  ...total,
  evaluations: Object.fromEntries([...byKey].map(([key, { t, f }]) => [key, [t, f]])),
});

/**
 * The statement that inserts SDK instances by their last-seen marks. Updates an instance in the
 * table only if its mark is at least a minute newer, or has a newer revision.
 */
export const upsertInstances = (seen: readonly SeenInstance[]): SQL => sql`
  INSERT INTO ${clientInstances} (environment_id, instance_id, app_name, sdk_version,
    first_seen_at, last_seen_at, revision, revision_seen_at)
  SELECT e.id, s.value ->> 'instanceId', s.value ->> 'appName', s.value ->> 'sdkVersion',
    s.value ->> 'firstSeenAt', s.value ->> 'lastSeenAt', s.value ->> 'revision',
    s.value ->> 'revisionSeenAt'
  FROM json_each(${JSON.stringify(seen)}) s
  CROSS JOIN ${environments} e ON e.id = s.value ->> 'environmentId' WHERE true
  ON CONFLICT (environment_id, instance_id, app_name) DO UPDATE SET
    sdk_version = CASE WHEN excluded.last_seen_at < last_seen_at THEN sdk_version
      ELSE coalesce(excluded.sdk_version, sdk_version) END,
    last_seen_at = max(last_seen_at, excluded.last_seen_at),
    revision_seen_at = CASE WHEN excluded.revision > coalesce(revision, -1)
      THEN excluded.revision_seen_at ELSE revision_seen_at END,
    revision = max(coalesce(revision, excluded.revision), coalesce(excluded.revision, revision))
  WHERE ${isDue(sql`client_instances.last_seen_at`, sql`excluded.last_seen_at`)}
    OR excluded.revision > coalesce(client_instances.revision, -1)`;
