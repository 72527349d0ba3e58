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

const sums = { t: sql<number>`sum(t)`, f: sql<number>`sum(f)` };

/**
 * Returns how often a flag was true and false, per hour or day of the period. An hour or day
 * without evaluations has no row.
 */
export const flagCounts = (db: ReadDb, filter: FlagFilter, period: Period) =>
  pointsOf(db, sql`flag_id = ${filter.flag.id} AND ${inEnvironments(filter)}`, period);

/**
 * Returns how often all flags of an environment together were true and false, per hour or day of
 * the period.
 */
export const environmentCounts = (db: ReadDb, environmentId: number, period: Period) =>
  pointsOf(db, sql`environment_id = ${environmentId}`, period);

const pointsOf = (db: ReadDb, where: SQL, period: Period) =>
  db
    .select({ at: sql<number>`at`, ...sums })
    .from(counted(where, period))
    .groupBy(sql`at`);

/**
 * Returns the subquery for the usage in a period. Hours are read from the table of hours; days from
 * both tables, which never contain the same usage, because the cleanup moves old hours into days.
 */
function counted(where: SQL, { from, to, interval }: Period): SQL {
  const start = startOf(interval, from);
  const hours = sql`SELECT hour - hour % ${LENGTH_MS[interval]} AS at, flag_id, t, f
    FROM flag_usage WHERE ${where} AND hour BETWEEN ${start} AND ${to}`;
  if (interval === "hour") return sql`(${hours})`;
  return sql`(${hours} UNION ALL SELECT day AS at, flag_id, t, f
    FROM flag_usage_days WHERE ${where} AND day BETWEEN ${start} AND ${to})`;
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
 * Returns how often a flag was true and false for one SDK instance, or for all instances of an
 * application.
 */
export function instanceCounts(db: ReadDb, filter: InstanceFilter, period: Period) {
  const { flag, instanceId, appName } = filter;
  const { from, to, interval } = period;
  // The flag key is safe in a JSON path, because flag keys contain no characters that need
  // escaping.
  const value = (index: 0 | 1) =>
    sql<number>`coalesce(sum(json_extract(evaluations, ${`$."${flag.key}"[${index}]`})), 0)`;
  return db
    .select({
      at: sql<number>`hour - hour % ${LENGTH_MS[interval]}`.as("at"),
      t: value(0),
      f: value(1),
    })
    .from(instanceUsage)
    .where(
      and(
        inEnvironments(filter),
        instanceId === undefined ? undefined : eq(instanceUsage.instanceId, instanceId),
        appName === undefined ? undefined : eq(instanceUsage.appName, appName),
        sql`hour BETWEEN ${startOf(interval, from)} AND ${to}`,
      ),
    )
    .groupBy(sql`at`);
}

const named = { flagId: flags.id, key: flags.key, name: flags.name };
/**
 * The SQL expression for the number of rows before `LIMIT` applies. Every returned row repeats this
 * number.
 */
const total = sql<number>`count(*) OVER ()`;

/** Returns the flags with the most evaluations in an environment during the period. */
export function mostEvaluated(db: ReadDb, environmentId: number, period: Period, limit: number) {
  const rows = counted(sql`environment_id = ${environmentId}`, period);
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
