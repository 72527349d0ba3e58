import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { LENGTH_MS, type Period, startOf } from "../../core/insights/series.ts";
import { HOUR_MS } from "../../core/lib/time.ts";
import type { ReadDb } from "../../db/database.ts";
import { inList } from "../../db/json-list.ts";
import { flags } from "../../db/schema/projects.ts";
import { flagColumns } from "../flags/queries.ts";
import { whereStale } from "../flags/staleness.ts";
import { type environmentEntries, type flagEntries, unwrittenTable } from "./unwritten-usage.ts";

type Rows<T extends (...args: never[]) => PromiseLike<unknown[]>> = readonly Awaited<
  ReturnType<T>
>[number][];
export type EvaluatedFlags = Rows<typeof mostEvaluated>;
export type NeverEvaluatedFlags = Rows<typeof neverEvaluated>;
export type StaleFlags = Rows<typeof staleFlags>;

/** The most flags that `mostEvaluated` returns. The API description states this number too. */
const MOST_EVALUATED = 10;

export interface FlagFilter {
  readonly flag: Pick<InsightsFlag, "id">;
  readonly environmentIds: readonly number[];
}

interface AppFilter extends FlagFilter {
  readonly flag: Pick<InsightsFlag, "id" | "key" | "createdAt">;
  readonly appName: string;
}

export interface EnvironmentFilter {
  readonly id: number;
  readonly projectId: number;
  /** Restricts the result to these flags of the project. Undefined: all flags. */
  readonly flagIds?: readonly number[];
}

/** The usage of one flag, or of all flags of an environment, that the database may lack. */
export type UnwrittenOfFlag = ReturnType<typeof flagEntries>;
export type UnwrittenOfEnvironment = ReturnType<typeof environmentEntries>;

export type InsightsFlag = NonNullable<Awaited<ReturnType<typeof findFlag>>>;

/** Returns a flag with the ids of the environments of its project. */
export async function findFlag(db: ReadDb, id: number) {
  const { key, projectId, valueType, createdAt } = flags;
  const environmentIds = sql<number[]>`(SELECT json_group_array(id) FROM environments
    WHERE project_id = flags.project_id)`.mapWith((json: string) => JSON.parse(json) as number[]);
  const { variants } = flagColumns;
  const rows = await db
    .select({ id: flags.id, key, projectId, valueType, createdAt, variants, environmentIds })
    .from(flags)
    .where(eq(flags.id, id));
  return rows[0];
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
export function flagCounts(
  db: ReadDb,
  filter: FlagFilter,
  period: Period,
  unwritten: UnwrittenOfFlag,
) {
  const where = sql`flag_id = ${filter.flag.id} AND ${inEnvironments(filter)}`;
  const ofDays = (table: "flag_usage_days" | "flag_variant_usage_days", columns: SQL) =>
    sql`SELECT day AS at, ${columns} FROM ${sql.raw(table)}
      WHERE ${where} AND ${isInPeriod(period, "day")}`;
  const hours = sql`(SELECT hour, json_array(t, f, json(variants)) AS usage FROM usage_hours
    WHERE ${where} AND ${isInPeriod(period)})`;
  const all = [
    partsOf(period, hours, sql`usage`),
    partsOf(period, unwrittenTable(unwritten), sql`usage`),
  ];
  if (period.interval === "day")
    all.push(
      ofDays("flag_usage_days", sql`NULL AS variant, t, f, 0 AS n`),
      ofDays("flag_variant_usage_days", sql`variant, 0 AS t, 0 AS f, n`),
    );
  return db
    .select(sumsByVariant)
    .from(unionOf(all))
    .groupBy(sql`at`, sql`variant`);
}

/**
 * Returns how often a flag was true and false, and its variants were served, for all SDK instances
 * of an application. Leaves out the hours before the flag was created: the table has flag keys, and a
 * deleted flag may have had the key.
 */
export function appCounts(
  db: ReadDb,
  filter: AppFilter,
  period: Period,
  unwritten: UnwrittenOfFlag,
) {
  const hours = sql`(SELECT * FROM app_usage WHERE ${inEnvironments(filter)}
    AND app_name = ${filter.appName} AND ${isInPeriod(period)}
    AND hour >= ${startOf("hour", filter.flag.createdAt)})`;
  // Does not escape the flag key, because flag keys contain no characters with a meaning in a JSON
  // path.
  const usage = sql`evaluations -> ${`$."${filter.flag.key}"`}`;
  const all = [
    partsOf(period, hours, usage),
    partsOf(period, unwrittenTable(unwritten), sql`usage`),
  ];
  return db
    .select(sumsByVariant)
    .from(unionOf(all))
    .groupBy(sql`at`, sql`variant`);
}

/**
 * Returns how often all flags of an environment together were true and false, and how often the boolean
 * ones among them, per hour or day of the period.
 */
export function environmentCounts(
  db: ReadDb,
  environment: EnvironmentFilter,
  period: Period,
  unwritten: UnwrittenOfEnvironment,
) {
  const isBoolean = sql`flag_id IN (SELECT id FROM ${flags}
    WHERE project_id = ${environment.projectId} AND value_type = 'boolean')`;
  return db
    .select({
      ...sums,
      booleanT: sql<number>`sum(iif(${isBoolean}, t, 0))`,
      booleanF: sql<number>`sum(iif(${isBoolean}, f, 0))`,
    })
    .from(usageOfFlags(environment, period, unwritten))
    .groupBy(sql`at`);
}

/**
 * Returns how often each flag of the filter was true and false, per hour or day of the period. A flag,
 * hour or day without evaluations has no row.
 */
export const countsByFlag = (
  db: ReadDb,
  environment: EnvironmentFilter,
  period: Period,
  unwritten: UnwrittenOfEnvironment,
) =>
  db
    .select({ flagId: sql<number>`flag_id`, ...sums })
    .from(usageOfFlags(environment, period, unwritten))
    .groupBy(sql`flag_id`, sql`at`);

/** Returns the SQL table of the usage of the flags of an environment in a period. */
function usageOfFlags(
  { id, projectId, flagIds }: EnvironmentFilter,
  period: Period,
  unwritten: UnwrittenOfEnvironment,
): SQL {
  const among = (column: SQL) =>
    flagIds === undefined ? sql`` : sql` AND ${column} IN ${inList(flagIds)}`;
  // The plus sign makes SQLite look up the given flags instead of all flags of the project.
  const ofProject = flagIds === undefined ? sql`r.project_id` : sql`+r.project_id`;
  const at = sql`${start(period)} AS at`;
  const all = [
    // Looks up each flag of the project, because the table has no index by environment.
    sql`SELECT ${at}, flag_id, t, f FROM ${flags} r CROSS JOIN usage_hours ON flag_id = r.id
      AND environment_id = ${id} AND ${isInPeriod(period)} WHERE ${ofProject} = ${projectId}${among(sql`r.id`)}`,
    sql`SELECT ${at}, r.id AS flag_id, u.value ->> 1 AS t, u.value ->> 2 AS f
      FROM ${unwrittenTable(unwritten)} CROSS JOIN json_each(usage) u
      CROSS JOIN ${flags} r ON r.project_id = ${projectId} AND ${isUsageOf("r")}
      WHERE ${isInPeriod(period)}${among(sql`r.id`)}`,
  ];
  if (period.interval === "day")
    all.push(sql`SELECT day AS at, flag_id, t, f FROM flag_usage_days
      WHERE environment_id = ${id} AND ${isInPeriod(period, "day")}${among(sql`flag_id`)}`);
  return unionOf(all);
}

/**
 * Returns the SQL condition for an entry of usage (`u`) of an `hour` that belongs to a flag: it has
 * the key of the flag, and is not older than the flag. A deleted flag may have had the key.
 */
const isUsageOf = (flag: string): SQL =>
  sql.raw(`${flag}.key = u.value ->> 0 AND ${flag}.created_at < hour + ${HOUR_MS}`);

const unionOf = (selects: readonly SQL[]): SQL =>
  sql`(${sql.join([...selects], sql` UNION ALL `)})`;

/** Returns the SQL expression for the start of the hour or day that contains `hour`. */
const start = ({ interval }: Period): SQL => sql`hour - hour % ${LENGTH_MS[interval]}`;

/**
 * Returns the SQL condition for a row of the period. With an interval of a day, the first day counts
 * as a whole. No usage is counted twice, because the cleanup moves old hours to the tables of days.
 */
const isInPeriod = ({ from, to, interval }: Period, column: "hour" | "day" = "hour"): SQL =>
  sql`${sql.raw(column)} BETWEEN ${startOf(interval, from)} AND ${to}`;

/**
 * Returns the SQL condition for the environments of the filter. It lists all environments
 * explicitly, so that the index search can also use the time column.
 */
const inEnvironments = ({ environmentIds }: FlagFilter): SQL =>
  sql`environment_id IN ${inList(environmentIds)}`;

/**
 * Returns the SELECT for the counts of one flag (`PointPart`) in the rows of `table` within the
 * period. `usage`: the SQL expression for the JSON of `[t, f, variants?]`.
 */
function partsOf(period: Period, table: SQL, usage: SQL): SQL {
  // Uses `json_tree`, which returns each count. The key of a count is its index, or a text if it
  // counts a variant.
  return sql`SELECT ${start(period)} AS at, iif(typeof(c.key) = 'text', c.key, NULL) AS variant,
      iif(c.key = 0, c.atom, 0) AS t, iif(c.key = 1, c.atom, 0) AS f,
      iif(typeof(c.key) = 'text', c.atom, 0) AS n
    FROM ${table} CROSS JOIN json_tree(${usage}) c
    WHERE c.atom IS NOT NULL AND ${isInPeriod(period)}`;
}

const named = { flagId: flags.id, key: flags.key, name: flags.name };
/**
 * The SQL expression for the number of rows before `LIMIT` applies. Every returned row repeats this number.
 */
const total = sql<number>`count(*) OVER ()`;

/** Returns the `MOST_EVALUATED` flags with the most evaluations in an environment in the period. */
export function mostEvaluated(
  db: ReadDb,
  environment: EnvironmentFilter,
  period: Period,
  unwritten: UnwrittenOfEnvironment,
) {
  const rows = usageOfFlags(environment, period, unwritten);
  // Applies `LIMIT` before the join, so that SQLite looks up names only for the returned flags.
  const most = sql`(SELECT flag_id, sum(t) AS t, sum(f) AS f FROM ${rows} GROUP BY flag_id
    HAVING sum(t + f) > 0 ORDER BY sum(t + f) DESC, flag_id LIMIT ${MOST_EVALUATED}) AS most`;
  const { valueType } = flags;
  const { variants } = flagColumns;
  return db
    .select({ ...named, valueType, variants, t: sql<number>`most.t`, f: sql<number>`most.f` })
    .from(most)
    .innerJoin(flags, sql`${flags.id} = most.flag_id`)
    .orderBy(desc(sql`most.t + most.f`), asc(flags.id));
}

/**
 * Returns how often each variant of the flags of the filter was served in an environment in the period.
 * Variants that a flag no longer has are included.
 */
export function variantCounts(
  db: ReadDb,
  { id, projectId, flagIds }: Required<EnvironmentFilter>,
  period: Period,
  unwritten: UnwrittenOfEnvironment,
) {
  const all = [
    sql`SELECT flag_id, v.key AS variant, v.value AS n FROM usage_hours CROSS JOIN json_each(variants) v
      WHERE flag_id IN ${inList(flagIds)} AND environment_id = ${id} AND ${isInPeriod(period)}`,
    sql`SELECT r.id AS flag_id, v.key AS variant, v.value AS n
      FROM ${unwrittenTable(unwritten)} CROSS JOIN json_each(usage) u
      CROSS JOIN ${flags} r ON r.project_id = ${projectId} AND ${isUsageOf("r")}
      CROSS JOIN json_each(u.value -> 3) v
      WHERE ${isInPeriod(period)} AND r.id IN ${inList(flagIds)}`,
  ];
  if (period.interval === "day")
    all.push(sql`SELECT flag_id, variant, n FROM flag_variant_usage_days
      WHERE flag_id IN ${inList(flagIds)} AND environment_id = ${id} AND ${isInPeriod(period, "day")}`);
  return db
    .select({ flagId: sql<number>`flag_id`, variant: sql<string>`variant`, n: sql<number>`sum(n)` })
    .from(unionOf(all))
    .groupBy(sql`flag_id`, sql`variant`);
}

/**
 * Returns the flags without a stored evaluation in the environment, oldest first. Archived flags
 * are left out. Daily counts are stored for 2 years.
 */
export function neverEvaluated(
  db: ReadDb,
  environment: EnvironmentFilter,
  unwritten: UnwrittenOfEnvironment,
  limit: number,
) {
  const unused = (table: "usage_hours" | "flag_usage_days") =>
    sql`NOT EXISTS (SELECT 1 FROM ${sql.raw(table)} WHERE flag_id = ${flags.id}
      AND environment_id = ${environment.id} AND t + f > 0)`;
  return db
    .select({ ...named, createdAt: flags.createdAt, total })
    .from(flags)
    .where(
      and(
        eq(flags.projectId, environment.projectId),
        eq(flags.archived, false),
        sql`${flags.id} NOT IN (SELECT r.id FROM ${unwrittenTable(unwritten)}
          CROSS JOIN json_each(usage) u
          CROSS JOIN ${flags} r ON r.project_id = ${environment.projectId} AND ${isUsageOf("r")}
          WHERE u.value ->> 1 > 0 OR u.value ->> 2 > 0)`,
        unused("usage_hours"),
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
    .where(and(eq(flags.projectId, projectId), whereStale(now, projectId)))
    .orderBy(asc(flags.id))
    .limit(limit);
}
