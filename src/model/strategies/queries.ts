import { and, asc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { BOOLEAN_VARIANTS } from "../../core/flags/variants.ts";
import {
  readStrategy,
  STRATEGY_COLUMNS,
  type StrategyContent,
  type StrategyColumn,
} from "../../core/strategies/strategy.ts";
import { Turns } from "../../core/lib/turns.ts";
import type { ReadDb } from "../../db/database.ts";
import { jsonRows } from "../../db/json-list.ts";
import { environments, flags, strategies } from "../../db/schema/projects.ts";
import { strategyExpressions } from "../../db/strategy-columns.ts";
import { inIds } from "../../db/ids.ts";

/**
 * The strategy of one flag in one environment. A flag has one strategy in each environment of its project.
 */
export interface StrategyRow {
  readonly flagId: number;
  readonly flag: StrategyFlag;
  readonly environmentId: number;
  readonly environmentName: string;
  readonly isProduction: boolean;
  readonly content: StrategyContent;
  /** The number of times that the strategy was set; 0 if it was never set. */
  readonly version: number;
  /** The time of the last change in epoch milliseconds; null if the strategy was never set. */
  readonly updatedAt: number | null;
}

interface StrategyFlag {
  readonly projectId: number;
  readonly key: string;
  readonly name: string;
  /** The keys of the variants, in order. */
  readonly variants: readonly string[];
  readonly offVariant: string | null;
  readonly archived: boolean;
  readonly version: number;
}

/** The columns of a flag that its strategies need. */
interface FlagOfStrategies extends Omit<StrategyFlag, "variants"> {
  readonly id: number;
  readonly variants: readonly { readonly key: string }[] | null;
}

const expressions = strategyExpressions("strategies");
const columns = {
  flagId: flags.id,
  environmentId: environments.id,
  environmentName: environments.name,
  isProduction: environments.production,
  version: strategies.version,
  updatedAt: strategies.updatedAt,
  ...(Object.fromEntries(
    STRATEGY_COLUMNS.map((column) => [column, sql`${sql.raw(expressions[column])}`.as(column)]),
  ) as Record<StrategyColumn, SQL.Aliased>),
};

const flagColumns = {
  id: flags.id,
  projectId: flags.projectId,
  key: flags.key,
  name: flags.name,
  variants: flags.variants,
  offVariant: flags.offVariant,
  archived: flags.archived,
  version: flags.version,
};

/**
 * Returns the strategies of flags in one environment, or in all environments of the flags' projects if
 * `environmentId` is undefined. Sorted by the id of the flag, then of the environment. A flag that was
 * deleted in the meantime has no strategies, nor do flags for which a further condition does not hold.
 */
export async function strategiesOf(
  db: ReadDb,
  ofFlags: readonly FlagOfStrategies[],
  environmentId: number | undefined,
  { condition, limit }: { readonly condition?: SQL | undefined; readonly limit?: number } = {},
): Promise<StrategyRow[]> {
  const byId = new Map(ofFlags.map((flag) => [flag.id, flag]));
  const query = db
    .select(columns)
    .from(flags)
    .innerJoin(environments, eq(environments.projectId, flags.projectId))
    .leftJoin(strategies, isOfFlagAndEnvironment)
    .where(
      and(
        inIds(flags.id, [...byId.keys()]),
        environmentId === undefined ? undefined : eq(environments.id, environmentId),
        condition,
      ),
    )
    .orderBy(asc(flags.id), asc(environments.id));
  const rows = await (limit === undefined ? query : query.limit(limit));
  return toStrategyRows(rows, ({ flagId }) => byId.get(flagId));
}

/**
 * How many strategies one statement reads where there can be thousands. To make objects of them takes
 * about 10 ms.
 */
export const PAGE = 1000;

/** Returns the strategies of flags that were set, in the order of `strategiesOf`, with a statement for each `PAGE`. */
export async function setStrategiesOf(
  db: ReadDb,
  ofFlags: readonly FlagOfStrategies[],
): Promise<StrategyRow[]> {
  const found: StrategyRow[] = [];
  for (;;) {
    const { flagId, environmentId } = found.at(-1) ?? { flagId: 0, environmentId: 0 };
    const left = ofFlags.filter(({ id }) => id >= flagId);
    const isAfter = sql`(${flags.id}, ${environments.id}) > (${flagId}, ${environmentId})`;
    const condition = and(isNotNull(strategies.flagId), isAfter);
    const page = await strategiesOf(db, left, undefined, { condition, limit: PAGE });
    found.push(...page);
    if (page.length < PAGE) return found;
  }
}

interface Pair {
  readonly flagId: number;
  readonly environmentId: number;
}

const rowsOf = (pairs: readonly Pair[]): SQL =>
  jsonRows(pairs.map(({ flagId, environmentId }) => [flagId, environmentId]));

/**
 * Returns the strategies of pairs of a flag and an environment of the flag's project, if a further
 * condition holds. Uses a statement for each `PAGE`.
 */
export async function findStrategies(
  db: ReadDb,
  pairs: readonly Pair[],
  condition?: SQL,
): Promise<StrategyRow[]> {
  const found: StrategyRow[] = [];
  for (let start = 0; start < pairs.length; start += PAGE)
    found.push(...(await findPage(db, pairs.slice(start, start + PAGE), condition)));
  return found;
}

async function findPage(
  db: ReadDb,
  pairs: readonly Pair[],
  condition: SQL | undefined,
): Promise<StrategyRow[]> {
  const rows = await db
    .select({ ...columns, flag: flagColumns })
    .from(sql`${rowsOf(pairs)} pair`)
    .innerJoin(flags, sql`${flags.id} = pair.value ->> 0`)
    .innerJoin(
      environments,
      sql`${environments.id} = pair.value ->> 1 AND ${environments.projectId} = ${flags.projectId}`,
    )
    .leftJoin(strategies, isOfFlagAndEnvironment)
    .where(condition);
  return toStrategyRows(rows, ({ flag }) => flag);
}

const isOfFlagAndEnvironment = and(
  eq(strategies.flagId, flags.id),
  eq(strategies.environmentId, environments.id),
);

type SelectedRow = Omit<StrategyRow, "flag" | "content" | "version"> &
  Readonly<Record<StrategyColumn, unknown>> & { readonly version: number | null };

/**
 * Parses the rows of strategies in turns, because there can be 16 MB of them. Leaves out those without a
 * flag.
 */
async function toStrategyRows<Row extends SelectedRow>(
  rows: readonly Row[],
  flagOf: (row: Row) => FlagOfStrategies | undefined,
): Promise<StrategyRow[]> {
  const turns = new Turns();
  const parsed: StrategyRow[] = [];
  for (const row of rows) {
    await turns.next(row);
    const flag = flagOf(row);
    if (flag) parsed.push(toStrategyRow(row, flag));
  }
  return parsed;
}

function toStrategyRow(row: SelectedRow, flag: FlagOfStrategies): StrategyRow {
  const { projectId, key, name, offVariant, archived, version } = flag;
  const variants = (flag.variants ?? BOOLEAN_VARIANTS).map((variant) => variant.key);
  return {
    flagId: row.flagId,
    flag: { projectId, key, name, variants, offVariant, archived, version },
    environmentId: row.environmentId,
    environmentName: row.environmentName,
    isProduction: row.isProduction,
    content: readStrategy(row),
    version: row.version ?? 0,
    updatedAt: row.updatedAt,
  };
}

/**
 * Guard: fails if one of the strategies has changed since it was read. Version 0 means that the table
 * has no row for the strategy.
 */
export const strategiesHaveVersions = (
  rows: readonly Pick<StrategyRow, "flagId" | "environmentId" | "version">[],
) => {
  const versions = rows.map(({ flagId, environmentId, version }) => [
    flagId,
    environmentId,
    version,
  ]);
  return sql`NOT EXISTS (SELECT 1 FROM ${jsonRows(versions)} j LEFT JOIN strategies s
    ON s.flag_id = j.value ->> 0 AND s.environment_id = j.value ->> 1
    WHERE coalesce(s.version, 0) <> j.value ->> 2)`;
};

/**
 * Returns the segments among `segmentIds` that the project does not have. Each is named as it was
 * when it was deleted, or else by its id.
 */
export async function missingSegments(
  db: ReadDb,
  projectId: number,
  segmentIds: readonly number[],
): Promise<string[]> {
  if (segmentIds.length === 0) return [];
  const rows = await db
    .select({
      name: sql<string>`coalesce((SELECT a.before ->> 'name' FROM audit a
        WHERE a.entity_id = j.value AND a.entity_type = 'segment' AND a.action = 'segment.deleted'),
        'id ' || j.value)`,
    })
    .from(sql`${jsonRows(segmentIds)} j`)
    .where(
      sql`NOT EXISTS (SELECT 1 FROM segments s
        WHERE s.id = j.value AND s.project_id = ${projectId})`,
    );
  return rows.map(({ name }) => name);
}

/** The size of a strategy in the database, bytes. */
const STORED_BYTES = sql`octet_length(constraints) + coalesce(octet_length(rules), 0)`;

/** Returns the SQL expression for the size of the strategies of flags, bytes. */
export const strategyBytes = (flagIds: SQL): SQL =>
  sql`(SELECT coalesce(sum(${STORED_BYTES}), 0) FROM strategies WHERE flag_id IN ${flagIds})`;

/** Returns the SQL expression for the size of the strategies of pairs, bytes. */
export const pairBytes = (pairs: readonly Pair[]): SQL =>
  sql`(SELECT coalesce(sum(${STORED_BYTES}), 0) FROM ${rowsOf(pairs)} one
    JOIN strategies ON flag_id = one.value ->> 0 AND environment_id = one.value ->> 1)`;
