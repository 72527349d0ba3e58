import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import {
  STRATEGY_FIELDS,
  type StrategyContent,
  type StrategyField,
  storedValue,
} from "../core/strategies/strategy.ts";
import { strategies } from "./schema/projects.ts";

/**
 * The fields of a strategy that are columns of the table `strategies`. The segment ids of a
 * strategy are in the table `strategy_segments` instead.
 */
type ColumnField = Exclude<StrategyField, "segmentIds">;
const COLUMNS: Readonly<Record<ColumnField, SQLiteColumn>> = strategies;
const COLUMN_FIELDS = STRATEGY_FIELDS.filter((field) => field !== "segmentIds");
const NAMES = COLUMN_FIELDS.map((field) => COLUMNS[field].name);

/**
 * Returns the SQL expression of every field of a strategy, for `readStrategy`. `strategy` is the
 * name or alias of the table `strategies` in the SQL statement.
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

/**
 * The SQL list of the columns that an INSERT into `strategies` fills with the fields of a strategy.
 */
export const insertedColumns: SQL = sql.raw(NAMES.join(", "));

/**
 * Returns the SQL list of the values of an INSERT into `strategies`, in the order of
 * `insertedColumns`.
 */
export const insertedValues = (content: StrategyContent): SQL =>
  sql.join(
    COLUMN_FIELDS.map((field) => sql`${storedValue(field, content[field])}`),
    sql`, `,
  );

/**
 * The SQL assignments of `ON CONFLICT DO UPDATE SET` for `strategies`: each column of
 * `insertedColumns` takes its inserted value.
 */
export const overwrittenColumns: SQL = sql.raw(
  NAMES.map((name) => `${name} = excluded.${name}`).join(", "),
);
