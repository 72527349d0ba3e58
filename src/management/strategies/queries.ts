import { and, asc, eq, sql } from "drizzle-orm";
import type { Constraint } from "@feature-flags/evaluation/rule";
import type { Statement } from "../../db/commit.ts";
import type { ReadDb } from "../../db/database.ts";
import { environments, flags, strategies } from "../../db/schema/projects.ts";
import { inIds } from "../ids.ts";

/** The strategy of one flag in one environment; without a row of its own, the default one. */
export interface StrategyRow {
  readonly flagId: number;
  readonly flag: { readonly projectId: number; readonly key: string; readonly name: string };
  readonly environmentId: number;
  readonly environmentName: string;
  readonly enabled: boolean;
  readonly percentage: number;
  readonly constraints: readonly Constraint[];
  readonly segmentIds: readonly number[];
  readonly stickiness: string | null;
  /** 0: never set. */
  readonly version: number;
  readonly updatedAt: number | null;
}

export type StrategyContent = Pick<
  StrategyRow,
  "enabled" | "percentage" | "constraints" | "segmentIds" | "stickiness"
>;

const strategyColumns = {
  enabled: strategies.enabled,
  percentage: strategies.percentage,
  constraints: strategies.constraints,
  stickiness: strategies.stickiness,
  version: strategies.version,
  updatedAt: strategies.updatedAt,
  segmentIds: sql<number[]>`(SELECT json_group_array(segment_id) FROM (SELECT ss.segment_id
    FROM strategy_segments ss WHERE ss.flag_id = ${strategies.flagId}
      AND ss.environment_id = ${strategies.environmentId} ORDER BY ss.position))`.mapWith(
    (text: string): number[] => JSON.parse(text),
  ),
};

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };
type JoinedRow = Pick<StrategyRow, "flagId" | "flag" | "environmentId" | "environmentName"> &
  Nullable<StrategyContent & Pick<StrategyRow, "version" | "updatedAt">>;

/** Decisions 2.4: until it is set, a strategy reads off, 100 %, without conditions. */
const defaultStrategy = (row: JoinedRow): StrategyRow => ({
  flagId: row.flagId,
  flag: row.flag,
  environmentId: row.environmentId,
  environmentName: row.environmentName,
  enabled: row.enabled ?? false,
  percentage: row.percentage ?? 100,
  constraints: row.constraints ?? [],
  segmentIds: row.segmentIds ?? [],
  stickiness: row.stickiness,
  version: row.version ?? 0,
  updatedAt: row.updatedAt,
});

/** The strategies of some flags, in one environment or in all of their project, by flag and environment. */
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
      ...strategyColumns,
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
  return rows.map(defaultStrategy);
}

/** Holds while the strategy is as it was read; a version of 0 means that there was none. */
export const strategyHasVersion = (row: StrategyRow) => {
  const same = sql`flag_id = ${row.flagId} AND environment_id = ${row.environmentId}`;
  return row.version === 0
    ? sql`NOT EXISTS (SELECT 1 FROM strategies WHERE ${same})`
    : sql`EXISTS (SELECT 1 FROM strategies WHERE ${same} AND version = ${row.version})`;
};

/** Holds while all of the segments belong to the project. */
export const segmentsInProject = (projectId: number, segmentIds: readonly number[]) =>
  sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(segmentIds)}) j WHERE NOT EXISTS
    (SELECT 1 FROM segments s WHERE s.id = j.value AND s.project_id = ${projectId}))`;

export function setStrategy(row: StrategyRow, content: StrategyContent, now: number): Statement[] {
  const { flagId, environmentId } = row;
  const { enabled, percentage, constraints, segmentIds, stickiness } = content;
  return [
    sql`INSERT INTO strategies
        (flag_id, environment_id, enabled, percentage, constraints, stickiness, updated_at)
      VALUES (${flagId}, ${environmentId}, ${Number(enabled)}, ${percentage},
        ${JSON.stringify(constraints)}, ${stickiness}, ${now})
      ON CONFLICT (flag_id, environment_id) DO UPDATE SET enabled = excluded.enabled,
        percentage = excluded.percentage, constraints = excluded.constraints,
        stickiness = excluded.stickiness, updated_at = excluded.updated_at, version = version + 1`,
    sql`DELETE FROM strategy_segments
      WHERE flag_id = ${flagId} AND environment_id = ${environmentId}`,
    sql`INSERT INTO strategy_segments (flag_id, environment_id, segment_id, position)
      SELECT ${flagId}, ${environmentId}, value, key FROM json_each(${JSON.stringify(segmentIds)})`,
    sql`UPDATE flags SET updated_at = ${now} WHERE id = ${flagId}`,
  ];
}
