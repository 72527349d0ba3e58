import { type SQL, sql } from "drizzle-orm";
import { jsonBytes } from "../core/lib/chunks.ts";
import type { StrategyContent } from "../core/strategies/strategy.ts";
import { jsonList } from "./json-list.ts";
import { SPLIT_BYTES } from "./schema/projects.ts";
import { segmentUses } from "./segment-uses.ts";

/** The size of an empty list as stored, bytes. */
const EMPTY_LIST_BYTES = 2;

/**
 * Returns the SQL expression for the sum of a size over the strategies under a condition, bytes. An
 * index must have the same `size` and the same condition `size > min`.
 */
const sumOf = (size: string, min: number, where: SQL): SQL =>
  sql`(SELECT coalesce(sum(${sql.raw(size)}), 0) FROM strategies
    WHERE ${where} AND ${sql.raw(`${size} > ${min}`)})`;

/**
 * Returns the SQL expression for the size of an environment's rules, bytes. The size is the JSON of
 * the constraints, ordered rules and slots of all strategies, of the variants of all flags, and of
 * the constraints of each segment as often as a rule uses it, because SDKs receive the segment with
 * every rule that uses it.
 * `environmentId` may be an SQL expression of the outer query. The query reads indexes only, and no
 * rows of strategies or flags.
 */
export const ruleBytes = (environmentId: number | SQL): SQL<number> =>
  sql<number>`(${strategiesBytes(sql`environment_id = ${environmentId}`)} + ${variantsBytes(
    sql`(SELECT home.project_id FROM environments home WHERE home.id = ${environmentId})`,
  )})`;

/**
 * Returns the part of `ruleBytes` that depends on strategies. `where` is an SQL condition on the
 * columns `environment_id` and `flag_id`.
 */
const strategiesBytes = (where: SQL): SQL =>
  sql`${sumOf("octet_length(constraints)", EMPTY_LIST_BYTES, where)}
    + ${sumOf("octet_length(rules)", EMPTY_LIST_BYTES, where)}
    + ${sumOf(SPLIT_BYTES, 0, where)}
    + (SELECT coalesce(sum(octet_length(segments.constraints) * used.times), 0)
      FROM (SELECT segment_id, sum(uses) AS times
        FROM ${segmentUses(where)} GROUP BY segment_id) used
      JOIN segments ON segments.id = used.segment_id)`;

/** Returns the part of `ruleBytes` that is the same in all environments of a project. */
const variantsBytes = (projectId: number | SQL): SQL =>
  sql`(SELECT coalesce(sum(octet_length(f.variants)), 0) FROM flags f
    WHERE f.project_id = ${projectId} AND octet_length(f.variants) > ${sql.raw(String(EMPTY_LIST_BYTES))})`;

/** Returns the size of the contents of a strategy's own row, bytes. Empty lists do not count. */
function ownBytes({ constraints, rules, serve }: StrategyContent): number {
  const counted = [constraints, rules].filter((list) => list.length > 0);
  const split = serve !== null && "slots" in serve ? [serve] : [];
  return [...counted, ...split].reduce((sum: number, part) => sum + jsonBytes(part), 0);
}

/** Returns the segments of all rules of a strategy. A segment is in the list once for each use. */
const segmentsOfRules = ({ segmentIds, rules }: StrategyContent): number[] => [
  ...segmentIds,
  ...rules.flatMap((rule) => rule.segmentIds),
];

/**
 * Returns by how much a strategy grows in a change, bytes; negative if it shrinks. `bytesOf` returns
 * the size of a segment that the strategy gains or loses.
 */
export function growthOf(
  before: StrategyContent,
  after: StrategyContent,
  bytesOf: (segmentId: number) => number,
): number {
  const [was, is] = [before, after].map((content) =>
    Map.groupBy(segmentsOfRules(content), (id) => id),
  );
  const ids = new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])]);
  let growth = ownBytes(after) - ownBytes(before);
  for (const id of ids) {
    const uses = (is?.get(id)?.length ?? 0) - (was?.get(id)?.length ?? 0);
    if (uses !== 0) growth += uses * bytesOf(id);
  }
  return growth;
}

/** The environments whose rules grow in a change. */
export interface GrowingRules {
  readonly projectId: number;
  /** All environments of the project, because the variants of its flags grow. */
  readonly all: boolean;
  /** The environments whose strategies grow. */
  readonly environmentIds: readonly number[];
  /** The segments that grow. */
  readonly segmentIds: readonly number[];
}

/**
 * Returns a SELECT of the size of the largest rules among the environments that grow, bytes. NULL if
 * there is no such environment. If all grow and the project has none, returns the size that the
 * rules of its first environment will have.
 */
export function largestRuleBytes({
  projectId,
  all,
  environmentIds,
  segmentIds,
}: GrowingRules): SQL {
  const own = strategiesBytes(sql`environment_id = e.id`);
  const ofProject = sql`FROM environments e WHERE e.project_id = ${projectId}`;
  if (all) return sql`SELECT ${variantsBytes(projectId)} + coalesce(max(${own}), 0) ${ofProject}`;
  const users = segmentUses(sql`segment_id IN ${jsonList(segmentIds)}`);
  return sql`SELECT ${variantsBytes(projectId)} + max(${own}) ${ofProject}
    AND (e.id IN ${jsonList(environmentIds)} OR e.id IN (SELECT environment_id FROM ${users}))`;
}
