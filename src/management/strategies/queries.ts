import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { BOOLEAN_VARIANTS } from "../../core/flags/variants.ts";
import {
  DEFAULT_STRATEGY,
  readStrategy,
  servedVariants,
  STRATEGY_FIELDS,
  type StrategyContent,
  type StrategyField,
} from "../../core/strategies/strategy.ts";
import type { Statement } from "../../db/commit.ts";
import type { ReadDb } from "../../db/database.ts";
import { chunked, jsonBytes } from "../../core/lib/chunks.ts";
import { jsonList, MAX_LIST_BYTES } from "../../db/json-list.ts";
import { environments, flags, strategies } from "../../db/schema/projects.ts";
import {
  copiedColumns,
  insertedColumns,
  insertedValues,
  jsonValues,
  overwrittenColumns,
  strategyExpressions,
  valuesFromJson,
} from "../../db/strategy-columns.ts";
import { variantsExpression } from "../../db/flag-columns.ts";
import { inIds } from "../ids.ts";

/**
 * The strategy of one flag in one environment. A flag has one strategy in each environment of its
 * project.
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

/** The flag of a strategy. */
interface StrategyFlag {
  readonly projectId: number;
  readonly key: string;
  readonly name: string;
  /** The keys of the variants, in order. */
  readonly variants: readonly string[];
  readonly offVariant: string | null;
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
    STRATEGY_FIELDS.map((field) => [field, sql`${sql.raw(expressions[field])}`.as(field)]),
  ) as Record<StrategyField, SQL.Aliased>),
};

const flagColumns = {
  id: flags.id,
  projectId: flags.projectId,
  key: flags.key,
  name: flags.name,
  variants: flags.variants,
  offVariant: flags.offVariant,
};

/**
 * Returns the strategies of flags in one environment, or in all environments of the flags' projects
 * if `environmentId` is undefined. Sorted by the id of the flag, then of the environment. A flag
 * that was deleted in the meantime has no strategies.
 */
export async function strategiesOf(
  db: ReadDb,
  ofFlags: readonly FlagOfStrategies[],
  environmentId: number | undefined,
): Promise<StrategyRow[]> {
  const byId = new Map(ofFlags.map((flag) => [flag.id, flag]));
  const rows = await db
    .select(columns)
    .from(flags)
    .innerJoin(environments, eq(environments.projectId, flags.projectId))
    .leftJoin(strategies, isOfFlagAndEnvironment)
    .where(
      and(
        inIds(flags.id, [...byId.keys()]),
        environmentId === undefined ? undefined : eq(environments.id, environmentId),
      ),
    )
    .orderBy(asc(flags.id), asc(environments.id));
  return rows.flatMap((row) => {
    const flag = byId.get(row.flagId);
    return flag ? toStrategyRow(row, flag) : [];
  });
}

/**
 * Returns the strategy of a flag in an environment; undefined if the project of the flag does not
 * have the environment.
 */
export async function findStrategy(
  db: ReadDb,
  flagId: number,
  environmentId: number,
): Promise<StrategyRow | undefined> {
  const [row] = await db
    .select({ ...columns, flag: flagColumns })
    .from(flags)
    .innerJoin(environments, eq(environments.projectId, flags.projectId))
    .leftJoin(strategies, isOfFlagAndEnvironment)
    .where(and(eq(flags.id, flagId), eq(environments.id, environmentId)));
  return row && toStrategyRow(row, row.flag);
}

const isOfFlagAndEnvironment = and(
  eq(strategies.flagId, flags.id),
  eq(strategies.environmentId, environments.id),
);

type SelectedRow = Omit<StrategyRow, "flag" | "content" | "version"> &
  Readonly<Record<StrategyField, unknown>> & { readonly version: number | null };

function toStrategyRow(row: SelectedRow, flag: FlagOfStrategies): StrategyRow {
  const { projectId, key, name, offVariant } = flag;
  const variants = (flag.variants ?? BOOLEAN_VARIANTS).map((variant) => variant.key);
  return {
    flagId: row.flagId,
    flag: { projectId, key, name, variants, offVariant },
    environmentId: row.environmentId,
    environmentName: row.environmentName,
    isProduction: row.isProduction,
    content: readStrategy(row),
    version: row.version ?? 0,
    updatedAt: row.updatedAt,
  };
}

/**
 * Guard: fails if the strategy has changed since it was read. Version 0 means that the table has no
 * row for the strategy.
 */
export const strategyHasVersion = (row: StrategyRow) => {
  const same = sql`flag_id = ${row.flagId} AND environment_id = ${row.environmentId}`;
  return row.version === 0
    ? sql`NOT EXISTS (SELECT 1 FROM strategies WHERE ${same})`
    : sql`EXISTS (SELECT 1 FROM strategies WHERE ${same} AND version = ${row.version})`;
};

/** Guard: fails if one of the strategies in the environment has changed since it was read. */
export const strategiesHaveVersions = (environmentId: number, rows: readonly StrategyRow[]) => {
  const versions = JSON.stringify(rows.map(({ flagId, version }) => [flagId, version]));
  return sql`NOT EXISTS (SELECT 1 FROM json_each(${versions}) j LEFT JOIN strategies s
    ON s.flag_id = j.value ->> 0 AND s.environment_id = ${environmentId}
    WHERE coalesce(s.version, 0) <> j.value ->> 1)`;
};

/** Guard: fails if one of the flags is archived or deleted. */
export const flagsNotArchived = (flagIds: readonly number[]) =>
  sql`(SELECT count(*) FROM flags WHERE id IN ${jsonList(flagIds)} AND archived = 0) = ${flagIds.length}`;

/** Guard: fails if the project does not have all segments with these ids. */
export const segmentsInProject = (projectId: number, segmentIds: readonly number[]) =>
  sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(segmentIds)}) j WHERE NOT EXISTS
    (SELECT 1 FROM segments s WHERE s.id = j.value AND s.project_id = ${projectId}))`;

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
    .from(sql`json_each(${JSON.stringify(segmentIds)}) j`)
    .where(
      sql`NOT EXISTS (SELECT 1 FROM segments s
        WHERE s.id = j.value AND s.project_id = ${projectId})`,
    );
  return rows.map(({ name }) => name);
}

/** Guard: fails if the flag was deleted or lacks a variant that the strategy serves. */
export const variantsOfFlag = (flagId: number, content: StrategyContent) =>
  sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(servedVariants(content))}) served
    WHERE served.value NOT IN (SELECT v.value ->> 'key'
      FROM flags f, json_each(${sql.raw(variantsExpression("f"))}) v WHERE f.id = ${flagId}))`;

/**
 * Returns the statements that write the strategy `row` with a new content, and its uses of segments.
 */
export function setStrategy(row: StrategyRow, content: StrategyContent, now: number): Statement[] {
  const { flagId, environmentId } = row;
  return [
    sql`INSERT INTO strategies (flag_id, environment_id, updated_at, ${insertedColumns})
      VALUES (${flagId}, ${environmentId}, ${now}, ${insertedValues(content)})
      ON CONFLICT (flag_id, environment_id) DO UPDATE SET ${overwrittenColumns},
        updated_at = excluded.updated_at, version = version + 1`,
    sql`DELETE FROM strategy_segments
      WHERE flag_id = ${flagId} AND environment_id = ${environmentId}`,
    sql`INSERT INTO strategy_segments (flag_id, environment_id, segment_id, position)
      SELECT ${flagId}, ${environmentId}, value, key FROM json_each(${JSON.stringify(content.segmentIds)})`,
    ...setRuleSegments(row, content),
    sql`UPDATE flags SET updated_at = ${now} WHERE id = ${flagId}`,
  ];
}

/**
 * Returns the statements that switch flags on or off in one environment. A strategy that was never
 * set gets the default content.
 */
export const setEnabled = (
  environmentId: number,
  { flagIds, enabled, now }: { flagIds: readonly number[]; enabled: boolean; now: number },
): Statement[] => [
  sql`INSERT INTO strategies (flag_id, environment_id, updated_at, ${insertedColumns})
    SELECT flags.value, ${environmentId}, ${now}, ${insertedValues({ ...DEFAULT_STRATEGY, enabled })}
    FROM json_each(${JSON.stringify(flagIds)}) flags WHERE true
    ON CONFLICT (flag_id, environment_id) DO UPDATE SET enabled = excluded.enabled,
      updated_at = excluded.updated_at, version = version + 1`,
  sql`UPDATE flags SET updated_at = ${now} WHERE id IN ${jsonList(flagIds)}`,
];

/** A strategy and the content that replaces its own. */
export interface NewContent {
  readonly row: StrategyRow;
  readonly content: StrategyContent;
}

/**
 * Does the same as `setStrategy` for strategies in one environment. The number of statements depends
 * on the size of the strategies, and not on how many there are.
 */
export function setStrategies(
  environmentId: number,
  contents: readonly NewContent[],
  now: number,
): Statement[] {
  const flagIds = jsonList(contents.map(({ row }) => row.flagId));
  const own = contents.map(({ row, content }) => [row.flagId, ...jsonValues(content)]);
  const segments = contents.flatMap(({ row, content }) =>
    content.segmentIds.map((id, position) => [row.flagId, id, position]),
  );
  const ruleSegments = contents.flatMap(({ row, content }) =>
    content.rules.flatMap((rule) => rule.segmentIds.map((id) => [row.flagId, id])),
  );
  return [
    ...chunked(own, jsonBytes, { size: MAX_LIST_BYTES }).map(
      (
        chunk,
      ) => sql`INSERT INTO strategies (flag_id, environment_id, updated_at, ${insertedColumns})
        SELECT value ->> 0, ${environmentId}, ${now}, ${valuesFromJson("value", 1)}
        FROM json_each(${JSON.stringify(chunk)}) WHERE true
        ON CONFLICT (flag_id, environment_id) DO UPDATE SET ${overwrittenColumns},
          updated_at = excluded.updated_at, version = version + 1`,
    ),
    sql`DELETE FROM strategy_segments
      WHERE environment_id = ${environmentId} AND flag_id IN ${flagIds}`,
    sql`INSERT INTO strategy_segments (flag_id, environment_id, segment_id, position)
      SELECT value ->> 0, ${environmentId}, value ->> 1, value ->> 2
      FROM json_each(${JSON.stringify(segments)})`,
    sql`DELETE FROM strategy_rule_segments
      WHERE environment_id = ${environmentId} AND flag_id IN ${flagIds}`,
    sql`INSERT INTO strategy_rule_segments (flag_id, environment_id, segment_id, uses)
      SELECT value ->> 0, ${environmentId}, value ->> 1, count(*)
      FROM json_each(${JSON.stringify(ruleSegments)}) GROUP BY 1, 3`,
    sql`UPDATE flags SET updated_at = ${now} WHERE id IN ${flagIds}`,
  ];
}

/**
 * Returns the statements that copy the strategies of a source flag to the flag with the given key,
 * in all environments. `withState`: whether the copies take the state (on or off); otherwise they
 * are off.
 */
export function copyStrategiesOfFlag(
  sourceId: number,
  { flagId, withState }: { readonly flagId: SQL; readonly withState: boolean },
  now: number,
): Statement[] {
  return [
    sql`INSERT INTO strategies (flag_id, environment_id, updated_at, ${insertedColumns})
      SELECT ${flagId}, environment_id, ${now}, ${copiedColumns(withState)}
      FROM strategies WHERE flag_id = ${sourceId}`,
    sql`INSERT INTO strategy_segments (flag_id, environment_id, segment_id, position)
      SELECT ${flagId}, environment_id, segment_id, position
      FROM strategy_segments WHERE flag_id = ${sourceId}`,
    sql`INSERT INTO strategy_rule_segments (flag_id, environment_id, segment_id, uses)
      SELECT ${flagId}, environment_id, segment_id, uses
      FROM strategy_rule_segments WHERE flag_id = ${sourceId}`,
  ];
}

/**
 * Returns the statements that replace the segments of ordered rules; none if neither the old nor
 * the new ordered rules use segments.
 */
function setRuleSegments(
  { flagId, environmentId, content: before }: StrategyRow,
  after: StrategyContent,
): Statement[] {
  const [was, is] = [before, after].map(({ rules }) => rules.flatMap((rule) => rule.segmentIds));
  const statements: Statement[] = [];
  if (was?.length)
    statements.push(sql`DELETE FROM strategy_rule_segments
      WHERE flag_id = ${flagId} AND environment_id = ${environmentId}`);
  if (is?.length)
    statements.push(sql`INSERT INTO strategy_rule_segments (flag_id, environment_id, segment_id, uses)
      SELECT ${flagId}, ${environmentId}, value, count(*) FROM json_each(${JSON.stringify(is)})
      GROUP BY value`);
  return statements;
}
