import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { LENGTH_MS, type Period, startOf } from "../../core/insights/series.ts";
import type { ReadDb } from "../../db/database.ts";
import { flags } from "../../db/schema/projects.ts";
import { instanceUsage } from "../../db/schema/usage.ts";
import { whereStale } from "../flags/stale.ts";

type Rows<T extends (...args: never[]) => PromiseLike<unknown[]>> = readonly Awaited<
  ReturnType<T>
>[number][];
export type EvaluatedFlags = Rows<typeof mostEvaluated>;
export type NeverEvaluatedFlags = Rows<typeof neverEvaluated>;
export type StaleFlags = Rows<typeof staleFlags>;

/**
 * The filter for the usage of a flag: in one environment, or in all environments of its project if
 * `environmentId` is undefined.
 */
export interface FlagFilter {
  readonly flag: { readonly id: number; readonly key: string; readonly projectId: number };
  readonly environmentId: number | undefined;
}

export interface InstanceFilter extends FlagFilter {
  readonly instanceId: string | undefined;
  readonly appName: string | undefined;
}

const sums = { at: sql<number>`at`, t: sql<number>`sum(t)`, f: sql<number>`sum(f)` };
const sumsByVariant = {
  ...sums,
  variant: sql<string | null>`variant`,
  n: sql<number>`sum(n)`,
};

/**
 * Returns how often a flag was true and false, and its variants were served, per hour or day of the
 * period. An hour or day without evaluations has no row.
 */
export function flagCounts(db: ReadDb, filter: FlagFilter, period: Period) {
  const where = sql`flag_id = ${filter.flag.id} AND ${inEnvironments(filter)}`;
  const all = sql`${counted(where, period)} UNION ALL ${counted(where, period, VARIANTS)}`;
  return db
    .select(sumsByVariant)
    .from(sql`(${all})`)
    .groupBy(sql`at`, sql`variant`);
}

/**
 * Returns how often all flags of an environment together were true and false, per hour or day of
 * the period.
 */
export const environmentCounts = (db: ReadDb, environmentId: number, period: Period) =>
  db
    .select(sums)
    .from(sql`(${counted(sql`environment_id = ${environmentId}`, period)})`)
    .groupBy(sql`at`);

/** The tables of hours and of days, and the columns that are read from both. */
interface UsageTables {
  readonly hours: SQL;
  readonly days: SQL;
  readonly columns: SQL;
}

const FLAGS: UsageTables = {
  hours: sql`flag_usage`,
  days: sql`flag_usage_days`,
  columns: sql`flag_id, NULL AS variant, t, f, 0 AS n`,
};
const VARIANTS: UsageTables = {
  hours: sql`flag_variant_usage`,
  days: sql`flag_variant_usage_days`,
  columns: sql`flag_id, variant, 0 AS t, 0 AS f, n`,
};

/**
 * Returns the SELECT for the usage in a period. Hourly usage is read from one table, daily usage
 * from the tables of hours and of days. No usage is counted twice, because the cleanup moves old
 * hours to the table of days.
 */
function counted(where: SQL, { from, to, interval }: Period, tables = FLAGS): SQL {
  const { hours, days, columns } = tables;
  const start = startOf(interval, from);
  const byHour = sql`SELECT hour - hour % ${LENGTH_MS[interval]} AS at, ${columns}
    FROM ${hours} WHERE ${where} AND hour BETWEEN ${start} AND ${to}`;
  if (interval === "hour") return byHour;
  return sql`${byHour} UNION ALL SELECT day AS at, ${columns}
    FROM ${days} WHERE ${where} AND day BETWEEN ${start} AND ${to}`;
}

/**
 * Returns the SQL condition for the environments of the filter. It lists all environments of the
 * project explicitly, so that the index search can also use the time column.
 */
const inEnvironments = ({ flag, environmentId }: FlagFilter): SQL =>
  environmentId === undefined
    ? sql`environment_id IN (SELECT id FROM environments WHERE project_id = ${flag.projectId})`
    : sql`environment_id = ${environmentId}`;

/**
 * Returns how often a flag was true and false, and its variants were served, for one SDK instance,
 * or for all instances of an application.
 */
export function instanceCounts(db: ReadDb, filter: InstanceFilter, period: Period) {
  const { flag, instanceId, appName } = filter;
  const { from, to, interval } = period;
  const where = and(
    inEnvironments(filter),
    instanceId === undefined ? undefined : eq(instanceUsage.instanceId, instanceId),
    appName === undefined ? undefined : eq(instanceUsage.appName, appName),
    sql`hour BETWEEN ${startOf(interval, from)} AND ${to}`,
  );
  // `json_tree` returns each count of the flag in `InstanceCounts`. The key of a count is its index,
  // or a text if the count is one of a variant. The flag key is safe in a JSON path, because flag
  // keys contain no characters that need escaping.
  const all = sql`SELECT hour - hour % ${LENGTH_MS[interval]} AS at,
      iif(typeof(c.key) = 'text', c.key, NULL) AS variant,
      iif(c.key = 0, c.atom, 0) AS t, iif(c.key = 1, c.atom, 0) AS f,
      iif(typeof(c.key) = 'text', c.atom, 0) AS n
    FROM ${instanceUsage} CROSS JOIN json_tree(evaluations, ${`$."${flag.key}"`}) c
    WHERE ${where} AND c.atom IS NOT NULL`;
  return db
    .select(sumsByVariant)
    .from(sql`(${all})`)
    .groupBy(sql`at`, sql`variant`);
}

const named = { flagId: flags.id, key: flags.key, name: flags.name };
/**
 * The SQL expression for the number of rows before `LIMIT` applies. Every returned row repeats this
 * number.
 */
const total = sql<number>`count(*) OVER ()`;

/** Returns the flags with the most evaluations in an environment during the period. */
export function mostEvaluated(db: ReadDb, environmentId: number, period: Period, limit: number) {
  const rows = sql`(${counted(sql`environment_id = ${environmentId}`, period)})`;
  // `LIMIT` applies before the join, so that SQLite looks up names only for the returned flags.
  const most = sql`(SELECT flag_id, sum(t) AS t, sum(f) AS f FROM ${rows} GROUP BY flag_id
    HAVING sum(t + f) > 0 ORDER BY sum(t + f) DESC, flag_id LIMIT ${limit}) AS most`;
  return db
    .select({ ...named, t: sql<number>`most.t`, f: sql<number>`most.f` })
    .from(most)
    .innerJoin(flags, sql`${flags.id} = most.flag_id`)
    .orderBy(desc(sql`most.t + most.f`), asc(flags.id));
}

/**
 * Returns the flags without a stored evaluation in the environment, oldest first. Archived flags
 * are left out. Daily counts are stored for 2 years.
 */
export function neverEvaluated(
  db: ReadDb,
  environment: { readonly id: number; readonly projectId: number },
  limit: number,
) {
  const unused = (table: "flag_usage" | "flag_usage_days") =>
    sql`NOT EXISTS (SELECT 1 FROM ${sql.raw(table)} WHERE flag_id = ${flags.id}
      AND environment_id = ${environment.id} AND t + f > 0)`;
  return db
    .select({ ...named, createdAt: flags.createdAt, total })
    .from(flags)
    .where(
      and(
        eq(flags.projectId, environment.projectId),
        eq(flags.archived, false),
        unused("flag_usage"),
        unused("flag_usage_days"),
      ),
    )
    .orderBy(asc(flags.id))
    .limit(limit);
}

/** Returns the stale flags of a project (see `whereStale`), oldest first. */
export function staleFlags(db: ReadDb, projectId: number, now: number, limit: number) {
  return db
    .select({ ...named, createdAt: flags.createdAt, lastUsedAt: flags.lastUsedAt, total })
    .from(flags)
    .where(and(eq(flags.projectId, projectId), whereStale(now)))
    .orderBy(asc(flags.id))
    .limit(limit);
}
