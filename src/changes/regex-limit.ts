import { type SQL, sql } from "drizzle-orm";
import {
  MAX_ENVIRONMENT_SIZE,
  regexKey,
  type RegexUse,
} from "@feature-flags/evaluation/regex-pool";
import { regexSize } from "@feature-flags/evaluation/regex-size";
import type { Constraint } from "@feature-flags/evaluation/rule";
import { ApiError } from "../core/errors/api-error.ts";
import { type StrategyContent, usedSegments } from "../core/strategies/strategy.ts";
import type { ReadDb } from "../db/database.ts";
import { jsonRows, inList } from "../db/json-list.ts";
import { segmentUses } from "../db/segment-uses.ts";
import type { AllChangedRows } from "./changed-tables.ts";

const usesRegexes = ({ operator, contextType }: Constraint): boolean =>
  operator === "matches" && contextType === "string";

const regexConstraints = ({ constraints, rules }: StrategyContent): Constraint[] =>
  [constraints, ...rules.map((rule) => rule.constraints)].flat().filter(usesRegexes);

const regexesOf = (constraints: readonly Constraint[]): RegexUse[] =>
  constraints
    .filter(usesRegexes)
    .flatMap(({ field, values, caseInsensitive = false }) =>
      values.map((pattern) => ({ pattern, caseInsensitive, field })),
    );

/** Whether the list has a regular expression that the other list does not have. */
function gains(before: readonly Constraint[], after: readonly Constraint[]): boolean {
  const known = new Set(regexesOf(before).map(regexKey));
  return regexesOf(after).some((use) => !known.has(regexKey(use)));
}

/**
 * Checks the total size of the regular expressions of each environment that gains some. Another
 * request can add more between this check and the commit. Evaluation then treats those above the
 * limit as malformed (`RegexPool`). Throws: 402.
 */
export async function assertRegexesFit(db: ReadDb, changes: AllChangedRows): Promise<void> {
  const gaining = changes.strategies.filter(({ before, after: { content } }) => {
    const used = new Set(before && usedSegments(before.content));
    return (
      usedSegments(content).some((id) => !used.has(id)) ||
      gains(before ? regexConstraints(before.content) : [], regexConstraints(content))
    );
  });
  const segments = changes.segments.updated.flatMap(({ before, after }) =>
    gains(before.constraints, after.constraints) ? after : [],
  );
  if (gaining.length === 0 && segments.length === 0) return;
  const environmentIds = [...new Set(gaining.map(({ after }) => after.environmentId))];
  const own = changes.strategies.flatMap(({ after: { environmentId, content } }) =>
    regexesOf(regexConstraints(content)).map((use) => Object.assign(use, { environmentId })),
  );
  const stored = await findRegexes(db, {
    environments: sql`(SELECT value FROM json_each(${JSON.stringify(environmentIds)})
      UNION SELECT environment_id FROM
        ${segmentUses(sql`segment_id IN ${inList(segments.map(({ id }) => id))}`)})`,
    strategies: changes.strategies.map(({ after }) => [after.flagId, after.environmentId]),
    uses: changes.strategies.flatMap(({ after: { environmentId, content } }) =>
      usedSegments(content).map((id) => [environmentId, id]),
    ),
    segments: [...changes.segments.updated.map(({ after }) => after), ...changes.segments.created],
  });
  for (const uses of Map.groupBy([...stored, ...own], (use) => use.environmentId).values())
    assertSize(uses);
}

function assertSize(uses: readonly RegexUse[]): void {
  let size = 0;
  for (const { pattern, caseInsensitive } of new Map(
    uses.map((use) => [regexKey(use), use]),
  ).values())
    size += regexSize(pattern, caseInsensitive);
  if (size > MAX_ENVIRONMENT_SIZE)
    throw new ApiError(
      "QUOTA_EXCEEDED",
      `The regular expressions of the environment would have ${size} instructions; the limit is ` +
        `${MAX_ENVIRONMENT_SIZE} instructions. Use fewer or smaller ones, or another operator`,
    );
}

interface Changed {
  /** A SELECT of the ids of the environments to read. */
  readonly environments: SQL;
  /** The flag and the environment of each strategy that changes. */
  readonly strategies: readonly (readonly number[])[];
  /** The environment and the segment of each use by such a strategy. */
  readonly uses: readonly (readonly number[])[];
  /** The segments that change, as they will be. */
  readonly segments: readonly {
    readonly id: number;
    readonly constraints: readonly Constraint[];
  }[];
}

/**
 * Returns the distinct regular expressions of the environments as they will be, without those in
 * the strategies that change.
 */
function findRegexes(db: ReadDb, { environments, strategies, uses, segments }: Changed) {
  const changed = segments.map(({ id, constraints }) => ({
    id,
    constraints: constraints.filter(usesRegexes),
  }));
  const isRead = sql`environment_id IN ${environments} AND (flag_id, environment_id) NOT IN
    (SELECT value ->> 0, value ->> 1 FROM ${jsonRows(strategies)})`;
  const mayMatch = (json: string) => sql.raw(`instr(${json}, '"matches"') > 0`);
  return db
    .selectDistinct({
      environmentId: sql<number>`found.environment_id`,
      field: sql<string>`found.one ->> 'field'`,
      caseInsensitive: sql`coalesce(found.one ->> 'caseInsensitive', 0)`.mapWith(Boolean),
      pattern: sql<string>`patterns.value`,
    })
    .from(
      sql`(
        SELECT environment_id, c.value AS one FROM strategies, json_each(constraints) c
          WHERE ${isRead} AND ${mayMatch("constraints")}
        UNION ALL
        SELECT environment_id, c.value FROM strategies, json_each(rules) r,
            json_each(r.value, '$.constraints') c
          WHERE ${isRead} AND ${mayMatch("rules")}
        UNION ALL
        SELECT used.environment_id, c.value FROM (
            SELECT environment_id, segment_id FROM ${segmentUses(isRead)}
            UNION SELECT value ->> 0, value ->> 1 FROM ${jsonRows(uses)}
          ) used JOIN (
            SELECT id, constraints FROM segments WHERE project_id IN
                (SELECT project_id FROM environments WHERE id IN ${environments})
              AND id NOT IN ${inList(changed.map(({ id }) => id))}
            UNION ALL SELECT value ->> 'id', value -> 'constraints' FROM ${jsonRows(changed)}
          ) s ON s.id = used.segment_id, json_each(s.constraints) c
          WHERE ${mayMatch("s.constraints")}
      ) found, json_each(found.one, '$.values') patterns`,
    )
    .where(sql`found.one ->> 'operator' = 'matches' AND found.one ->> 'contextType' = 'string'`);
}
