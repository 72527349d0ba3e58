import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import {
  STRATEGY_FIELDS,
  type StrategyContent,
  type StrategyField,
  storedValue,
} from "../core/strategies/strategy.ts";
import { strategies } from "./schema/projects.ts";

/** The fields with a column in `strategies`. Segment ids have the table `strategy_segments`. */
type ColumnField = Exclude<StrategyField, "segmentIds">;
const COLUMNS: Readonly<Record<ColumnField, SQLiteColumn>> = strategies;
const COLUMN_FIELDS = STRATEGY_FIELDS.filter((field) => field !== "segmentIds");
const NAMES = COLUMN_FIELDS.map((field) => COLUMNS[field].name);

/**
 * The SQL expression of every field, for `readStrategy`. `strategy` is the name or alias of the
 * table `strategies` in the query. The subquery reads the primary key of `strategy_segments`.
 */
export function strategyExpressions(strategy: string): Readonly<Record<StrategyField, string>> {
  const columns = COLUMN_FIELDS.map((field) => [field, `${strategy}.${COLUMNS[field].name}`]);
  return {
    ...(Object.fromEntries(columns) as Record<ColumnField, string>),
    segmentIds: `(SELECT json_group_array(segment_id) FROM (SELECT segment_id FROM strategy_segments ss
      WHERE ss.flag_id = ${strategy}.flag_id AND ss.environment_id = ${strategy}.environment_id
      ORDER BY position))`,
  };
}

/** For an INSERT: the names of the columns, separated by commas. */
export const insertedColumns: SQL = sql.raw(NAMES.join(", "));

/** For an INSERT: the values of `insertedColumns`. */
export const insertedValues = (content: StrategyContent): SQL =>
  sql.join(
    COLUMN_FIELDS.map((field) => sql`${storedValue(field, content[field])}`),
    sql`, `,
  );

/** For `ON CONFLICT DO UPDATE SET`: takes the inserted value of every column. */
export const overwrittenColumns: SQL = sql.raw(
  NAMES.map((name) => `${name} = excluded.${name}`).join(", "),
);
