import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import {
  readStrategy,
  STRATEGY_FIELDS,
  type StrategyContent,
  type StrategyField,
} from "../../core/strategies/strategy.ts";
import type { Statement } from "../../db/commit.ts";
import type { ReadDb } from "../../db/database.ts";
import { environments, flags, strategies } from "../../db/schema/projects.ts";
import {
  insertedColumns,
  insertedValues,
  overwrittenColumns,
  strategyExpressions,
} from "../../db/strategy-columns.ts";
import { inIds } from "../ids.ts";

/**
 * The strategy of one flag in one environment. A flag has one strategy in each environment of its
 * project.
 */
export interface StrategyRow {
  readonly flagId: number;
  readonly flag: { readonly projectId: number; readonly key: string; readonly name: string };
  readonly environmentId: number;
  readonly environmentName: string;
  readonly content: StrategyContent;
  /** The number of times that the strategy was set; 0 if it was never set. */
  readonly version: number;
  /** The time of the last change in epoch milliseconds; null if the strategy was never set. */
  readonly updatedAt: number | null;
}

const expressions = strategyExpressions("strategies");
const fieldColumns = Object.fromEntries(
  STRATEGY_FIELDS.map((field) => [field, sql`${sql.raw(expressions[field])}`.as(field)]),
) as Record<StrategyField, SQL.Aliased>;

/**
 * Returns the strategies of the flags in one environment, or in all environments of the flags'
 * projects if `environmentId` is undefined. Sorted by the id of the flag, then of the environment.
 */
export async function strategiesOf(
  db: ReadDb,
  flagIds: readonly number[],
  environmentId: number | undefined,
): Promise<StrategyRow[]> {
  const rows = await db
    .select({
      flagId: flags.id,
      flag: { projectId: flags.projectId, key: flags.key, name: flags.name },
      environmentId: environments.id,
      environmentName: environments.name,
      version: strategies.version,
      updatedAt: strategies.updatedAt,
      ...fieldColumns,
    })
    .from(flags)
    .innerJoin(environments, eq(environments.projectId, flags.projectId))
    .leftJoin(
      strategies,
      and(eq(strategies.flagId, flags.id), eq(strategies.environmentId, environments.id)),
    )
    .where(
      and(
        inIds(flags.id, flagIds),
        environmentId === undefined ? undefined : eq(environments.id, environmentId),
      ),
    )
    .orderBy(asc(flags.id), asc(environments.id));
  return rows.map((row) => ({
    flagId: row.flagId,
    flag: row.flag,
    environmentId: row.environmentId,
    environmentName: row.environmentName,
    content: readStrategy(row),
    version: row.version ?? 0,
    updatedAt: row.updatedAt,
  }));
}

/**
 * Guard: passes while the strategy still has the version that was read. Version 0 means that the
 * table has no row for the strategy.
 */
export const strategyHasVersion = (row: StrategyRow) => {
  const same = sql`flag_id = ${row.flagId} AND environment_id = ${row.environmentId}`;
  return row.version === 0
    ? sql`NOT EXISTS (SELECT 1 FROM strategies WHERE ${same})`
    : sql`EXISTS (SELECT 1 FROM strategies WHERE ${same} AND version = ${row.version})`;
};

/** Guard: passes while all segments with these ids exist in the project. */
export const segmentsInProject = (projectId: number, segmentIds: readonly number[]) =>
  sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(segmentIds)}) j WHERE NOT EXISTS
    (SELECT 1 FROM segments s WHERE s.id = j.value AND s.project_id = ${projectId}))`;

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
    sql`UPDATE flags SET updated_at = ${now} WHERE id = ${flagId}`,
  ];
}
