import { type SQL, sql } from "drizzle-orm";
import { type RuleFlag, toClientRule } from "@feature-flags/evaluation/rule";
import type { FlagPrerequisite } from "../core/flags/prerequisites.ts";
import { BOOLEAN_VARIANTS } from "../core/flags/variants.ts";
import { jsonBytes } from "../core/lib/chunks.ts";
import { DEFAULT_STRATEGY, type StrategyContent } from "../core/strategies/strategy.ts";
import { inList } from "./json-list.ts";
import { segmentUses } from "./segment-uses.ts";

const NO_SEGMENTS = new Map<never, never>();

/** The size of the comma after a rule, bytes. */
const COMMA = 1;

/** The size of a segment in a rule, and a comma, without its name and its constraints, bytes. */
const EMPTY_SEGMENT_BYTES = jsonBytes({ name: "", constraints: "" }) - 3;

/** Returns the SQL expression for the size of a row of the table `segments` in a rule, bytes. */
export const SEGMENT_BYTES: SQL<number> = sql<number>`(octet_length(json_quote(segments.name))
  + octet_length(segments.constraints) + ${sql.raw(String(EMPTY_SEGMENT_BYTES))})`;

/**
 * Returns the SQL expression for the size of an environment's rules, bytes: the length of the response
 * with all rules (`toClientRule`), archived flags included, because they can be unarchived. SDKs
 * receive a segment with every rule that uses it, so it counts as often. The size of a strategy is as
 * old as the strategy: it can be off by a few bytes after a change of the flag's variants.
 * `environmentId` may be an SQL expression of the outer query. The query reads indexes only, and no
 * rows of strategies or flags.
 */
export const ruleBytes = (environmentId: number | SQL): SQL<number> =>
  sql<number>`(${strategiesBytes(sql`environment_id = ${environmentId}`)} + ${flagsBytes(
    sql`(SELECT home.project_id FROM environments home WHERE home.id = ${environmentId})`,
  )})`;

/**
 * Returns the part of `ruleBytes` that depends on strategies. `where` is an SQL condition on the
 * columns `environment_id` and `flag_id`.
 */
const strategiesBytes = (where: SQL): SQL =>
  sql`(SELECT coalesce(sum(rule_bytes), 0) FROM strategies WHERE ${where} AND rule_bytes <> 0)
    + (SELECT coalesce(sum(${SEGMENT_BYTES} * used.times), 0)
      FROM (SELECT segment_id, sum(uses) AS times
        FROM ${segmentUses(where)} GROUP BY segment_id) used
      JOIN segments ON segments.id = used.segment_id)`;

/** Returns the part of `ruleBytes` that is the same in all environments of a project. */
const flagsBytes = (projectId: number | SQL): SQL =>
  sql`(SELECT coalesce(sum(rule_bytes), 0) FROM flags WHERE project_id = ${projectId})`;

/** Returns the length of a rule without segments, bytes. */
function lengthOf(flag: RuleFlag, strategy: StrategyContent): number {
  const rules = strategy.rules.map((rule) => ({ ...rule, segmentIds: [] }));
  return jsonBytes(toClientRule(flag, { ...strategy, segmentIds: [], rules }, NO_SEGMENTS));
}

/** Returns the size of a flag in the rules of each environment, without its strategy, bytes. */
export const flagRuleBytes = (
  flag: Omit<RuleFlag, "prerequisites"> & { readonly prerequisites: readonly FlagPrerequisite[] },
): number => lengthOf(flag as RuleFlag, DEFAULT_STRATEGY) + COMMA;

/** The part of a flag on which the size of its strategies depends. */
interface FlagOfStrategy {
  readonly key: string;
  /** The keys of the variants, in order. */
  readonly variants: readonly string[];
  readonly offVariant: string | null;
}

/** The keys of the variants of a boolean flag. A flag of another type has other keys, as a rule. */
const BOOLEAN = BOOLEAN_VARIANTS.map(({ key }) => key).join();

/**
 * Returns by how much a strategy makes the rule of its flag larger than the default strategy does,
 * without its segments, bytes. The state and the number of digits of its own percentage do not count, so
 * that switching a flag and rolling it out write no index.
 */
export function strategyRuleBytes(
  { key, variants, offVariant }: FlagOfStrategy,
  strategy: StrategyContent,
): number {
  const valueType = variants.join() === BOOLEAN ? "boolean" : "string";
  const values = variants.map((variant) => ({ key: variant, value: "" }));
  const flag = { key, name: "", valueType, variants: values, offVariant } as const;
  const isWhole = Number.isInteger(strategy.percentage);
  const fixed = { enabled: false, ...(isWhole && { percentage: DEFAULT_STRATEGY.percentage }) };
  return lengthOf(flag, { ...strategy, ...fixed }) - lengthOf(flag, DEFAULT_STRATEGY);
}

/**
 * Returns the size of a strategy in a rule, without its segments, bytes. The state and the percentage
 * do not matter, so that a full quota does not stop a roll-out, or switching a flag off.
 */
function ownBytes(strategy: StrategyContent): number {
  const fixed = { percentage: 100 };
  const flag = { key: "", variants: [], offVariant: null };
  const rules = strategy.rules.map((rule) => ({ ...rule, ...fixed }));
  return strategyRuleBytes(flag, { ...strategy, ...fixed, rules });
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
  /** All environments of the project, because its flags grow. */
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
  if (all) return sql`SELECT ${flagsBytes(projectId)} + coalesce(max(${own}), 0) ${ofProject}`;
  const users = segmentUses(sql`segment_id IN ${inList(segmentIds)}`);
  return sql`SELECT ${flagsBytes(projectId)} + max(${own}) ${ofProject}
    AND (e.id IN ${inList(environmentIds)} OR e.id IN (SELECT environment_id FROM ${users}))`;
}
