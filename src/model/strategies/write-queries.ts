import type { Pausing } from "@feature-flags/evaluation/pausing";
import { type SQL, sql } from "drizzle-orm";
import { DEFAULT_STRATEGY, STRATEGY_FIELDS } from "../../core/strategies/strategy.ts";
import type { Statement } from "../../db/commit.ts";
import { inList, jsonChunkSteps, jsonRows } from "../../db/json-list.ts";
import { strategyRuleBytes } from "../../db/rule-bytes.ts";
import {
  copiedColumns,
  insertedColumns,
  jsonValues,
  overwrittenColumns,
  valuesFromJson,
} from "../../db/strategy-columns.ts";
import type { StrategyRow } from "./queries.ts";

/** A strategy after a change. `before` is undefined for a flag that the same change creates. */
export interface ChangedStrategy {
  readonly before: StrategyRow | undefined;
  readonly after: StrategyRow;
}

/**
 * Returns the statements that write strategies and their uses of segments: `remove` for the uses
 * before the change, `write` for everything else. The number of statements depends on the size of
 * the strategies, and not on how many there are.
 */
export function* writeStrategies(
  changed: readonly ChangedStrategy[],
  now: number,
): Pausing<{ readonly remove: Statement[]; readonly write: Statement[] }> {
  const { switched = [], rewritten = [] } = Object.groupBy(changed, (one) =>
    isSwitched(one) ? "switched" : "rewritten",
  );
  const hadSegments = rewritten.flatMap(({ before }) => before ?? []);
  const own = yield* jsonChunkSteps(rewritten.values().map(rowOf));
  const segments = rewritten.flatMap(({ after }) =>
    after.content.segmentIds.map((id, position) => [...idsOf(after), id, position]),
  );
  const ruleSegments = rewritten.flatMap(({ after }) => {
    const ids = after.content.rules.flatMap((rule) => rule.segmentIds);
    return Array.from(
      Map.groupBy(ids, (id) => id),
      ([id, uses]) => [...idsOf(after), id, uses.length],
    );
  });
  const flagIds = [...new Set(changed.map(({ after }) => after.flagId))];
  return {
    remove: [
      ...removeUses(
        "strategy_segments",
        hadSegments.filter(({ content }) => content.segmentIds.length > 0),
      ),
      ...removeUses(
        "strategy_rule_segments",
        hadSegments.filter(({ content }) =>
          content.rules.some((rule) => rule.segmentIds.length > 0),
        ),
      ),
    ],
    write: [
      ...(yield* setEnabled(switched, now)),
      ...own.map(
        (
          chunk,
        ) => sql`INSERT INTO strategies (flag_id, environment_id, version, updated_at, ${insertedColumns})
          SELECT value ->> 0, value ->> 1, value ->> 2, ${now}, ${valuesFromJson("value", 3)}
          FROM json_each(${chunk}) WHERE true
          ON CONFLICT (flag_id, environment_id) DO UPDATE SET ${overwrittenColumns},
            updated_at = excluded.updated_at, version = version + excluded.version`,
      ),
      ...(yield* jsonChunkSteps(segments)).map(
        (rows) => sql`INSERT INTO strategy_segments (flag_id, environment_id, segment_id, position)
          SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(${rows})`,
      ),
      ...(yield* jsonChunkSteps(ruleSegments)).map(
        (rows) => sql`INSERT INTO strategy_rule_segments (flag_id, environment_id, segment_id, uses)
          SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(${rows})`,
      ),
      ...(flagIds.length > 0
        ? [sql`UPDATE flags SET updated_at = ${now} WHERE id IN ${inList(flagIds)}`]
        : []),
    ],
  };
}

/** Returns the values of the row of a changed strategy. */
const rowOf = (one: ChangedStrategy): unknown[] => {
  const { flag, content } = one.after;
  const values = jsonValues(content, strategyRuleBytes(flag, content));
  return [...idsOf(one.after), versionsOf(one), ...values];
};

const idsOf = ({ flagId, environmentId }: StrategyRow) => [flagId, environmentId] as const;

/** Returns by how much the version of a strategy grows. */
const versionsOf = ({ before, after }: ChangedStrategy) => after.version - (before?.version ?? 0);

/** Whether a change alters only whether the flag is on. */
function isSwitched({ before, after }: ChangedStrategy): boolean {
  const was = before?.content ?? DEFAULT_STRATEGY;
  return STRATEGY_FIELDS.every(
    (field) => field === "enabled" || was[field] === after.content[field],
  );
}

/** Returns the statements that switch flags on or off. A new strategy gets the default content. */
function* setEnabled(switched: readonly ChangedStrategy[], now: number): Pausing<SQL[]> {
  const rows = switched.map((one) => [
    ...idsOf(one.after),
    versionsOf(one),
    ...jsonValues({ ...DEFAULT_STRATEGY, enabled: one.after.content.enabled }, 0),
  ]);
  return (yield* jsonChunkSteps(rows)).map(
    (
      chunk,
    ) => sql`INSERT INTO strategies (flag_id, environment_id, version, updated_at, ${insertedColumns})
      SELECT value ->> 0, value ->> 1, value ->> 2, ${now}, ${valuesFromJson("value", 3)}
      FROM json_each(${chunk}) WHERE true
      ON CONFLICT (flag_id, environment_id) DO UPDATE SET enabled = excluded.enabled,
        updated_at = excluded.updated_at, version = version + excluded.version`,
  );
}

const removeUses = (table: string, rows: readonly StrategyRow[]): SQL[] =>
  rows.length === 0
    ? []
    : [
        sql`DELETE FROM ${sql.raw(table)} WHERE (flag_id, environment_id) IN
          (SELECT value ->> 0, value ->> 1 FROM ${jsonRows(rows.map(idsOf))})`,
      ];

/**
 * Returns the statements that copy the strategies of a source flag to a new flag, in all environments.
 * `withState`: whether the copies take the state (on or off); otherwise they are off.
 */
export function copyStrategiesOfFlag(
  sourceId: number,
  { flagId, withState }: { readonly flagId: number; readonly withState: boolean },
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
