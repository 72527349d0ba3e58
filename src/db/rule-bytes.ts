import { type SQL, sql } from "drizzle-orm";
import { jsonBytes } from "../core/lib/chunks.ts";
import type { StrategyContent } from "../core/strategies/strategy.ts";
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

/** The contents of strategies in an environment, before and after a change. */
interface StrategySizes {
  readonly environmentId: number;
  readonly before: readonly StrategyContent[];
  readonly after: readonly StrategyContent[];
}

/** Returns the SQL expression for the size of strategies, bytes. */
function bytesOf(contents: readonly StrategyContent[]): SQL {
  const own = contents.reduce((sum, content) => sum + ownBytes(content), 0);
  return sql`(${own} + (SELECT coalesce(sum(octet_length(s.constraints)), 0)
    FROM json_each(${JSON.stringify(contents.flatMap(segmentsOfRules))}) j
    JOIN segments s ON s.id = j.value))`;
}

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
 * Whether a change can make a strategy larger: its own content becomes larger, or it uses a segment
 * more often.
 */
export function mayGrow(before: StrategyContent, after: StrategyContent): boolean {
  if (ownBytes(after) > ownBytes(before)) return true;
  const used = Map.groupBy(segmentsOfRules(before), (id) => id);
  return [...Map.groupBy(segmentsOfRules(after), (id) => id)].some(
    ([id, uses]) => uses.length > (used.get(id)?.length ?? 0),
  );
}

/**
 * Returns a SELECT of the size of an environment's rules after a change of strategies, bytes. 0 if
 * the strategies do not grow in total, because such a change is always allowed.
 */
export const ruleBytesWithStrategies = ({ environmentId, before, after }: StrategySizes): SQL =>
  sql`SELECT iif(${bytesOf(after)} <= ${bytesOf(before)}, 0,
    ${ruleBytes(environmentId)} - ${bytesOf(before)} + ${bytesOf(after)})`;

/**
 * Returns a SELECT of the size of the largest rules among the environments that use a segment, after
 * the constraints of the segment grow by `growth` bytes. NULL if no strategy uses the segment.
 */
export const ruleBytesWithSegment = (segmentId: number, growth: number): SQL =>
  sql`SELECT max(${ruleBytes(sql.raw("used.environment_id"))} + used.times * ${growth})
    FROM (SELECT environment_id, sum(uses) AS times
      FROM ${segmentUses(sql`segment_id = ${segmentId}`)} GROUP BY environment_id) used`;

/**
 * Returns a SELECT of the size of the largest rules among the environments of a project, after the
 * variants of a flag grow by `growth` bytes. If the project has no environment, returns the size
 * that the rules of its first environment will have.
 */
export const ruleBytesWithVariants = (projectId: number, growth: number): SQL =>
  sql`SELECT ${variantsBytes(projectId)} + ${growth} + coalesce(max(${strategiesBytes(sql`environment_id = e.id`)}), 0)
    FROM environments e WHERE e.project_id = ${projectId}`;

/**
 * Returns a SELECT of the size of the largest rules among the environments of a project, after a
 * flag of the project is cloned with all its strategies.
 */
export const ruleBytesWithClone = (projectId: number, flagId: number): SQL =>
  sql`SELECT ${variantsBytes(projectId)}
    + coalesce((SELECT octet_length(c.variants) FROM flags c WHERE c.id = ${flagId}), 0)
    + coalesce(max(${strategiesBytes(sql`environment_id = e.id`)}
      + ${strategiesBytes(sql`environment_id = e.id AND flag_id = ${flagId}`)}), 0)
    FROM environments e WHERE e.project_id = ${projectId}`;
