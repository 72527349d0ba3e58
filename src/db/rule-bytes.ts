import { type SQL, sql } from "drizzle-orm";
import { jsonBytes } from "../core/lib/chunks.ts";
import type { StrategyContent } from "../core/strategies/strategy.ts";
import { SPLIT_BYTES } from "./schema/projects.ts";
import { segmentUses } from "./segment-uses.ts";

/** The size of an empty list as stored, bytes. */
const EMPTY_LIST_BYTES = 2;

/**
 * Returns the SQL expression for the sum of a size over all strategies in an environment, bytes.
 * `size` and the condition `size > min` must be those of an index.
 */
const sumOf = (size: string, min: number, environmentId: number | SQL): SQL =>
  sql`(SELECT coalesce(sum(${sql.raw(size)}), 0) FROM strategies
    WHERE environment_id = ${environmentId} AND ${sql.raw(`${size} > ${min}`)})`;

/**
 * Returns the SQL expression for the size of an environment's rules, bytes. The size is the JSON of
 * the constraints, ordered rules and slots of all strategies, of the variants of all flags, and of
 * the constraints of each segment as often as a rule uses it, because SDKs receive the segment with
 * every rule that uses it.
 * `environmentId` may be an SQL expression of the outer query. The query reads indexes only, and no
 * rows of strategies or flags.
 */
export const ruleBytes = (environmentId: number | SQL): SQL<number> =>
  sql<number>`(${strategiesBytes(environmentId)} + ${variantsBytes(
    sql`(SELECT home.project_id FROM environments home WHERE home.id = ${environmentId})`,
  )})`;

/** Returns the part of `ruleBytes` that depends on the strategies of the environment. */
const strategiesBytes = (environmentId: number | SQL): SQL =>
  sql`${sumOf("octet_length(constraints)", EMPTY_LIST_BYTES, environmentId)}
    + ${sumOf("octet_length(rules)", EMPTY_LIST_BYTES, environmentId)}
    + ${sumOf(SPLIT_BYTES, 0, environmentId)}
    + (SELECT coalesce(sum(octet_length(segments.constraints) * used.times), 0)
      FROM (SELECT segment_id, sum(uses) AS times
        FROM ${segmentUses(sql`environment_id = ${environmentId}`)} GROUP BY segment_id) used
      JOIN segments ON segments.id = used.segment_id)`;

/** Returns the part of `ruleBytes` that is the same in all environments of a project. */
const variantsBytes = (projectId: number | SQL): SQL =>
  sql`(SELECT coalesce(sum(octet_length(f.variants)), 0) FROM flags f
    WHERE f.project_id = ${projectId} AND octet_length(f.variants) > ${sql.raw(String(EMPTY_LIST_BYTES))})`;

interface StrategySize {
  readonly environmentId: number;
  readonly before: StrategyContent;
  readonly after: StrategyContent;
}

/** Returns the SQL expression for the size of a strategy, bytes. */
const strategyBytes = (content: StrategyContent): SQL =>
  sql`(${ownBytes(content)} + (SELECT coalesce(sum(octet_length(s.constraints)), 0)
    FROM json_each(${JSON.stringify(segmentsOfRules(content))}) j JOIN segments s ON s.id = j.value))`;

/** The size of what the rows of a strategy contain, bytes. Empty lists do not count. */
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
 * Returns a SELECT of the size of an environment's rules after a strategy is set, bytes. 0 if the
 * strategy becomes no larger, because such a change is never refused.
 */
export const ruleBytesWithStrategy = ({ environmentId, before, after }: StrategySize): SQL =>
  sql`SELECT iif(${strategyBytes(after)} <= ${strategyBytes(before)}, 0,
    ${ruleBytes(environmentId)} - ${strategyBytes(before)} + ${strategyBytes(after)})`;

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
 * variants of a flag grow by `growth` bytes. Without environments, this is the size that the rules
 * of the first one will have.
 */
export const ruleBytesWithVariants = (projectId: number, growth: number): SQL =>
  sql`SELECT ${variantsBytes(projectId)} + ${growth} + coalesce(max(${strategiesBytes(sql.raw("e.id"))}), 0)
    FROM environments e WHERE e.project_id = ${projectId}`;
