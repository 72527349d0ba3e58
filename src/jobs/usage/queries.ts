import { type SQL, sql } from "drizzle-orm";
import { HOUR_MS } from "../../core/lib/time.ts";
import {
  MAX_APPS,
  MAX_INSTANCES,
  MIN_MARK_INTERVAL_MS,
  OTHER_APP,
} from "../../core/usage/message-types.ts";
import {
  flagName,
  type HourTotal,
  type KnownVariants,
  type SeenInstance,
  type UsageTotals,
} from "../../core/usage/roll-up.ts";
import type { ReadDb } from "../../db/database.ts";
import { variantsExpression } from "../../db/flag-columns.ts";
import { jsonList } from "../../db/json-list.ts";
import { apiKeys, environments, flags } from "../../db/schema/projects.ts";
import {
  clientInstances,
  countedReports,
  flagUsage,
  flagVariantUsage,
  type InstanceCounts,
  instanceUsage,
} from "../../db/schema/usage.ts";

// The usage statements bind each list as one JSON value, because D1 allows 100 parameters per
// statement. The joins leave out the list entries of deleted flags and environments.

/**
 * The statement that inserts the ids of usage reports. If an id was counted before, the primary key
 * rejects the whole transaction.
 */
export const insertReports = (ids: readonly string[], now: number): SQL => sql`
  INSERT INTO ${countedReports} (id, at) SELECT value, ${now} FROM json_each(${JSON.stringify(ids)})`;

export const isAlreadyCounted = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("UNIQUE constraint failed: counted_reports.id");

/** Returns the ids among `ids` whose usage reports were counted before. */
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
 * Returns the usage totals of flags as JSON: a list of `[environment id, start of the hour,
 * flags]`. Each entry of `flags` is `[flag key, t, f, milliseconds from the start of the hour to
 * the last report]`.
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
 * Returns the usage totals by variant as JSON, in the form of `flagList`. Each entry of the flags
 * is `[flag key, {<variant>: count}]`. Flags without variants are left out.
 */
const variantList = (totals: readonly HourTotal[]) =>
  JSON.stringify(
    totals.map(({ environmentId, hour, flags: byKey }) => [
      environmentId,
      hour,
      [...byKey].flatMap(([key, { variants }]) =>
        variants ? [[key, Object.fromEntries(variants)]] : [],
      ),
    ]),
  );

/**
 * The FROM clause that reads a JSON list of `flagList` or `variantList`. Each row is one flag (`u`)
 * in one hour of one environment (`h`), joined with the environment's row (`e`) and the flag's row
 * (`r`).
 */
const reported = (list: string): SQL => sql`
  json_each(${list}) h
  CROSS JOIN json_each(h.value, '$[2]') u
  CROSS JOIN ${environments} e ON e.id = h.value ->> 0
  CROSS JOIN ${flags} r ON r.project_id = e.project_id AND r.key = u.value ->> 0`;

export const addFlagUsage = (totals: readonly HourTotal[]): SQL => sql`
  INSERT INTO ${flagUsage} (flag_id, environment_id, hour, t, f)
  SELECT r.id, e.id, h.value ->> 1, u.value ->> 1, u.value ->> 2
  FROM ${reported(flagList(totals))} WHERE true
  ON CONFLICT (flag_id, environment_id, hour) DO UPDATE SET t = t + excluded.t, f = f + excluded.f`;

/**
 * The statement that adds usage counts by variant. It must follow `addFlagUsage`, whose rows its
 * rows refer to.
 */
export const addVariantUsage = (totals: readonly HourTotal[]): SQL => sql`
  INSERT INTO ${flagVariantUsage} (flag_id, environment_id, hour, variant, n)
  SELECT r.id, e.id, h.value ->> 1, v.key, v.value
  FROM ${reported(variantList(totals))} CROSS JOIN json_each(u.value, '$[1]') v WHERE true
  ON CONFLICT (flag_id, environment_id, hour, variant) DO UPDATE SET n = n + excluded.n`;

/** Returns the variants of all flags whose totals have variants. Unknown flags are left out. */
export async function findVariants(
  db: ReadDb,
  totals: readonly HourTotal[],
): Promise<KnownVariants> {
  const rows = await db
    .select({
      environmentId: sql<number>`e.id`,
      key: sql<string>`r.key`,
      variants: sql<string>`(SELECT json_group_array(value ->> 'key')
        FROM json_each(${sql.raw(variantsExpression("r"))}))`,
    })
    .from(reported(variantList(totals)));
  return new Map(
    rows.map(({ environmentId, key, variants }) => [
      flagName(environmentId, key),
      new Set(JSON.parse(variants) as string[]),
    ]),
  );
}

export const markFlags = (totals: readonly HourTotal[]): SQL => sql`
  UPDATE ${flags} SET last_used_at = used.at
  FROM (SELECT r.id AS id, max((h.value ->> 1) + (u.value ->> 3)) AS at
    FROM ${reported(flagList(totals))} GROUP BY r.id) used
  WHERE flags.id = used.id AND ${isDue(sql`flags.last_used_at`, sql`used.at`)}`;

export const markKeys = (keys: UsageTotals["keys"]): SQL => sql`
  UPDATE ${apiKeys} SET last_used_at = used.at
  FROM (SELECT value ->> 0 AS id, value ->> 1 AS at FROM json_each(${JSON.stringify([...keys])})) used
  WHERE api_keys.id = used.id AND ${isDue(sql`api_keys.last_used_at`, sql`used.at`)}`;

const isDue = (written: SQL, seen: SQL): SQL =>
  sql`(${written} IS NULL OR ${seen} - ${written} >= ${MIN_MARK_INTERVAL_MS})`;

/**
 * The statement that adds usage counts by SDK instance, or by application for reports without an
 * instance (`instance_id` is ""). An environment keeps the names of `MAX_APPS` such applications;
 * further ones count as `OTHER_APP`. Names that the environment already has come first.
 */
export const addInstanceUsage = (totals: UsageTotals["instances"]): SQL => sql`
  INSERT INTO ${instanceUsage} (environment_id, hour, app_name, instance_id, evaluations)
  WITH reported AS (
    SELECT e.id AS environment_id, i.value ->> 'hour' AS hour, i.value ->> 'appName' AS app_name,
      i.value ->> 'instanceId' AS instance_id, i.value -> 'evaluations' AS evaluations
    FROM json_each(${JSON.stringify(totals.map(withEvaluations))}) i
    CROSS JOIN ${environments} e ON e.id = i.value ->> 'environmentId'),
  apps AS (
    SELECT environment_id, app_name, 0 AS is_new FROM instance_usage WHERE instance_id = ''
      AND environment_id IN (SELECT environment_id FROM reported WHERE instance_id = '')
    UNION ALL SELECT environment_id, app_name, 1 FROM reported WHERE instance_id = ''),
  named AS (
    SELECT environment_id, app_name,
      row_number() OVER (PARTITION BY environment_id ORDER BY min(is_new), app_name) AS place
    FROM apps WHERE app_name <> ${OTHER_APP} GROUP BY environment_id, app_name)
  SELECT r.environment_id, r.hour,
    iif(r.instance_id = '' AND n.place > ${MAX_APPS}, ${OTHER_APP}, r.app_name),
    r.instance_id, r.evaluations
  FROM reported r
  LEFT JOIN named n ON n.environment_id = r.environment_id AND n.app_name = r.app_name
  WHERE true
  ON CONFLICT (environment_id, instance_id, app_name, hour) DO UPDATE SET evaluations = (
    SELECT json_group_object(key, json(CASE WHEN variants = '[]' THEN json_array(t, f)
      ELSE json_array(t, f, json(${SUM_OF_VARIANTS})) END)) FROM (
      SELECT key, sum(value ->> 0) AS t, sum(value ->> 1) AS f,
        json_group_array(value -> 2) FILTER (WHERE value -> 2 IS NOT NULL) AS variants FROM (
        SELECT key, value FROM json_each(instance_usage.evaluations)
        UNION ALL SELECT key, value FROM json_each(excluded.evaluations))
      GROUP BY key))`;

/** Adds up the objects in the JSON list `variants`. Returns an object of the same form. */
const SUM_OF_VARIANTS = sql`(SELECT json_group_object(variant, n) FROM (
  SELECT v.key AS variant, sum(v.value) AS n
  FROM json_each(variants) o CROSS JOIN json_each(o.value) v GROUP BY v.key))`;

const withEvaluations = ({ flags: byKey, ...total }: UsageTotals["instances"][number]) => ({
  ...total,
  evaluations: Object.fromEntries(
    Array.from(byKey, ([key, { t, f, variants }]): [string, InstanceCounts] => [
      key,
      variants ? [t, f, Object.fromEntries(variants)] : [t, f],
    ]),
  ),
});

/**
 * The statement that inserts or updates SDK instances, from their last-seen marks. An instance that
 * is already in the table is updated only if its mark is at least a minute newer, has a newer
 * revision, or has a fetch of rules that is an hour newer. Marks of fetches may always arrive within
 * a minute of other marks, when several isolates send them.
 */
export const upsertInstances = (seen: readonly SeenInstance[]): SQL => sql`
  INSERT INTO ${clientInstances} (environment_id, instance_id, app_name, sdk_version,
    first_seen_at, last_seen_at, revision, revision_seen_at, sdk_features, rules_fetched_at)
  SELECT e.id, s.value ->> 'instanceId', s.value ->> 'appName', s.value ->> 'sdkVersion',
    s.value ->> 'firstSeenAt', s.value ->> 'lastSeenAt', s.value ->> 'revision',
    s.value ->> 'revisionSeenAt', s.value ->> 'sdkFeatures', s.value ->> 'rulesFetchedAt'
  FROM json_each(${JSON.stringify(seen)}) s
  CROSS JOIN ${environments} e ON e.id = s.value ->> 'environmentId' WHERE true
  ON CONFLICT (environment_id, instance_id, app_name) DO UPDATE SET
    sdk_version = CASE WHEN excluded.last_seen_at < last_seen_at THEN sdk_version
      ELSE coalesce(excluded.sdk_version, sdk_version) END,
    sdk_features = CASE WHEN excluded.last_seen_at < last_seen_at
      THEN coalesce(sdk_features, excluded.sdk_features)
      ELSE coalesce(excluded.sdk_features, sdk_features) END,
    rules_fetched_at = nullif(max(coalesce(rules_fetched_at, 0),
      coalesce(excluded.rules_fetched_at, 0)), 0),
    last_seen_at = max(last_seen_at, excluded.last_seen_at),
    revision_seen_at = CASE WHEN excluded.revision > coalesce(revision, -1)
      THEN excluded.revision_seen_at ELSE revision_seen_at END,
    revision = max(coalesce(revision, excluded.revision), coalesce(excluded.revision, revision))
  WHERE ${isDue(sql`client_instances.last_seen_at`, sql`excluded.last_seen_at`)}
    OR excluded.revision > coalesce(client_instances.revision, -1)
    OR excluded.rules_fetched_at - coalesce(client_instances.rules_fetched_at, 0) >= ${HOUR_MS}`;

/**
 * The statement that deletes the least recently seen SDK instances of each environment that has
 * more than `MAX_INSTANCES`.
 */
export const deleteExcessInstances = (environmentIds: readonly number[]): SQL => sql`
  DELETE FROM ${clientInstances} WHERE rowid IN (SELECT id FROM (
    SELECT rowid AS id,
      row_number() OVER (PARTITION BY environment_id ORDER BY last_seen_at DESC) AS place
    FROM ${clientInstances} WHERE environment_id IN (SELECT value FROM json_each(${JSON.stringify(environmentIds)})))
  WHERE place > ${MAX_INSTANCES})`;
