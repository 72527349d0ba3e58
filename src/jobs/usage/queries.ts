import { type SQL, sql } from "drizzle-orm";
import { HOUR_MS } from "../../core/lib/time.ts";
import { MIN_MARK_INTERVAL_MS, type FlagUsage } from "../../core/usage/message-types.ts";
import type { HourWrite, LastUses } from "../../core/usage/usage-entries.ts";
import type { ReadDb } from "../../db/database.ts";
import { variantsExpression } from "../../db/flag-columns.ts";
import { apiKeys, environments, flags, projects } from "../../db/schema/projects.ts";
import { appUsage, type StoredCounts, usageHours, usageWrites } from "../../db/schema/usage.ts";

// The usage statements bind each list as one JSON value, because D1 allows 100 parameters per
// statement. The joins leave out the list entries of deleted flags and environments. The key of a
// deleted flag can belong to another flag since then, so they also compare the time of its creation.

/** The statement that inserts the id of a write. The transaction fails if the database already has the id. */
export const insertWrite = (id: string, now: number): SQL =>
  sql`INSERT INTO ${usageWrites} (id, at) VALUES (${id}, ${now})`;

export const isAlreadyWritten = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("UNIQUE constraint failed: usage_writes.id");

type WrittenHour = Pick<HourWrite, "environmentId" | "hour">;

/**
 * The FROM clause that reads a list of `FlagUsage` in one environment. Each row is one flag's usage
 * (`u`) with the rows of its environment (`e`) and flag (`r`).
 */
const reported = (environmentId: number, usage: readonly FlagUsage[]): SQL => sql`
  ${environments} e CROSS JOIN json_each(${JSON.stringify(usage)}) u
  CROSS JOIN ${flags} r ON r.project_id = e.project_id AND r.key = u.value ->> 0
  WHERE e.id = ${environmentId}`;

export const addHourUsage = (
  { environmentId, hour }: WrittenHour,
  usage: readonly FlagUsage[],
): SQL => sql`
  INSERT INTO ${usageHours} (flag_id, environment_id, hour, t, f, variants)
  SELECT r.id, e.id, ${hour}, u.value ->> 1, u.value ->> 2, u.value -> 3
  FROM ${reported(environmentId, usage)} AND r.created_at < ${hour + HOUR_MS}
  ON CONFLICT (flag_id, environment_id, hour) DO UPDATE SET t = t + excluded.t, f = f + excluded.f,
    variants = iif(excluded.variants IS NULL, variants,
      ${sumOfVariants(sql`json_array(json(coalesce(variants, '{}')), json(excluded.variants))`)})`;

export const addAppUsage = (
  { environmentId, hour }: WrittenHour,
  appName: string,
  usage: readonly FlagUsage[],
): SQL => sql`
  INSERT INTO ${appUsage} (environment_id, app_name, hour, evaluations)
  SELECT e.id, ${appName}, ${hour}, ${JSON.stringify(countsByKey(usage))}
  FROM ${environments} e WHERE e.id = ${environmentId}
  ON CONFLICT (environment_id, app_name, hour) DO UPDATE SET evaluations = (
    SELECT json_group_object(key, json(CASE WHEN variants = '[]' THEN json_array(t, f)
      ELSE json_array(t, f, json(${sumOfVariants(sql`variants`)})) END)) FROM (
      SELECT key, sum(value ->> 0) AS t, sum(value ->> 1) AS f,
        json_group_array(value -> 2) FILTER (WHERE value -> 2 IS NOT NULL) AS variants FROM (
        SELECT key, value FROM json_each(app_usage.evaluations)
        UNION ALL SELECT key, value FROM json_each(excluded.evaluations))
      GROUP BY key))`;

/** The SQL for the sum of the objects in a JSON list. The sum is an object of the same form. */
const sumOfVariants = (list: SQL): SQL => sql`(SELECT json_group_object(variant, n) FROM (
  SELECT v.key AS variant, sum(v.value) AS n
  FROM json_each(${list}) o CROSS JOIN json_each(o.value) v GROUP BY v.key))`;

const countsByKey = (usage: readonly FlagUsage[]) =>
  Object.fromEntries(
    usage.map(([key, t, f, variants]): [string, StoredCounts] => [
      key,
      variants ? [t, f, variants] : [t, f],
    ]),
  );

/** Returns the variants of the flags whose usage has variants, by flag key. */
export async function findVariants(
  db: ReadDb,
  environmentId: number,
  usage: readonly FlagUsage[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const withVariants = usage.filter(([, , , variants]) => variants);
  if (withVariants.length === 0) return new Map();
  const rows = await db
    .select({
      key: sql<string>`r.key`,
      variants: sql<string>`(SELECT json_group_array(value ->> 'key')
        FROM json_each(${sql.raw(variantsExpression("r"))}))`,
    })
    .from(
      reported(
        environmentId,
        withVariants.map(([key]) => [key, 0, 0]),
      ),
    );
  return new Map(rows.map(({ key, variants }) => [key, new Set(JSON.parse(variants) as string[])]));
}

const isDue = (written: SQL, seen: SQL): SQL =>
  sql`(${written} IS NULL OR ${seen} - ${written} >= ${MIN_MARK_INTERVAL_MS})`;

/**
 * The FROM clause that reads a list of pairs: a flag key or an API key id (`value ->> 0`), and the
 * time of its last use (`value ->> 1`).
 */
const used = (pairs: readonly (readonly [string | number, number])[]): SQL =>
  sql`json_each(${JSON.stringify(pairs)})`;

// Uses GROUP BY to keep SQLite from joining the list once for each row of the updated table.
export const markFlags = (projectId: number, uses: LastUses["flags"]): SQL => sql`
  UPDATE ${flags} SET last_used_at = used.at
  FROM (SELECT r.id, max(u.value ->> 1) AS at FROM ${used(uses)} u
    CROSS JOIN ${flags} r ON r.project_id = ${projectId} AND r.key = u.value ->> 0
      AND r.created_at <= u.value ->> 1
    GROUP BY r.id) used
  WHERE flags.id = used.id AND ${isDue(sql`flags.last_used_at`, sql`used.at`)}`;

export const markKeys = (uses: LastUses["keys"]): SQL => sql`
  UPDATE ${apiKeys} SET last_used_at = used.at
  FROM (SELECT value ->> 0 AS id, max(value ->> 1) AS at FROM ${used(uses)} GROUP BY id) used
  WHERE api_keys.id = used.id AND ${isDue(sql`api_keys.last_used_at`, sql`used.at`)}`;

export async function projectExists(db: ReadDb, id: number): Promise<boolean> {
  const rows = await db
    .select({ id: projects.id })
    .from(projects)
    .where(sql`id = ${id}`);
  return rows.length > 0;
}
