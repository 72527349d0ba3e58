import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import {
  columnsOf,
  DEFAULT_STRATEGY,
  JSON_FIELDS,
  STRATEGY_COLUMNS,
  type StrategyColumn,
  type StrategyContent,
} from "../core/strategies/strategy.ts";
import { strategies } from "./schema/projects.ts";

/**
 * The columns of the table `strategies`. The segment ids of a strategy are in the table
 * `strategy_segments` instead.
 */
type Column = Exclude<StrategyColumn, "segmentIds">;
const TABLE: Readonly<Record<Column, SQLiteColumn>> = strategies;
const COLUMNS = STRATEGY_COLUMNS.filter((column) => column !== "segmentIds");
/** The columns that every writer of a strategy fills: the fields, and the size of the rule. */
const NAMES = [...COLUMNS.map((column) => TABLE[column].name), strategies.ruleBytes.name];
/** The columns that contain JSON. */
const JSON_COLUMNS = JSON_FIELDS.filter((field) => field !== "segmentIds");
const JSON_NAMES = new Set(JSON_COLUMNS.map((column) => TABLE[column].name));
const DEFAULTS = columnsOf(DEFAULT_STRATEGY);

/**
 * Returns the SQL expression of every column of a strategy, for `readStrategy`. `strategy` is the
 * name or alias of the table `strategies` in the SQL statement.
 */
export function strategyExpressions(strategy: string): Readonly<Record<StrategyColumn, string>> {
  const columns = COLUMNS.map((column) => [column, `${strategy}.${TABLE[column].name}`]);
  return {
    ...(Object.fromEntries(columns) as Record<Column, string>),
    segmentIds: `(SELECT json_group_array(segment_id) FROM (SELECT segment_id FROM strategy_segments ss
      WHERE ss.flag_id = ${strategy}.flag_id AND ss.environment_id = ${strategy}.environment_id
      ORDER BY position))`,
  };
}

/**
 * The SQL list of the columns that an INSERT into `strategies` fills with the fields of a strategy and
 * its size in the rules.
 */
export const insertedColumns: SQL = sql.raw(NAMES.join(", "));

/**
 * Returns the values of an INSERT into `strategies` as items of a JSON array, in the order of
 * `insertedColumns`. `valuesFromJson` reads them in SQL. `ruleBytes`: see `strategyRuleBytes`.
 */
export function jsonValues(content: StrategyContent, ruleBytes: number): readonly unknown[] {
  const values = columnsOf(content);
  return [...COLUMNS.map((column) => values[column]), ruleBytes];
}

/**
 * Returns the SQL list of the values that `jsonValues` has put into a JSON array. `row` is the SQL
 * expression of the array, and `start` the index of the first value.
 */
export const valuesFromJson = (row: string, start: number): SQL =>
  sql.raw(
    NAMES.map((name, n) =>
      JSON_NAMES.has(name) ? `nullif(${row} -> ${start + n}, 'null')` : `${row} ->> ${start + n}`,
    ).join(", "),
  );

/**
 * Returns the SQL list of the columns that an INSERT … SELECT copies from another strategy, in the
 * order of `insertedColumns`. Without the state, the copy is off.
 */
export const copiedColumns = (withState: boolean): SQL =>
  sql.raw(NAMES.map((name) => (name === TABLE.enabled.name && !withState ? "0" : name)).join(", "));

/**
 * Returns the SQL expression of the content of a strategy, for comparisons in SQL. `strategy` and
 * `flag` are the names or aliases of the tables. A row of NULLs gives the default strategy. The ids
 * of ordered rules do not matter.
 */
export function comparedContent(strategy: string, flag: string): SQL {
  const expressions = strategyExpressions(strategy);
  const compared = STRATEGY_COLUMNS.map(
    (column) =>
      COMPARED[column]?.(expressions[column], flag) ?? withDefault(column, expressions[column]),
  );
  return sql.raw(`json_array(${compared.join(", ")})`);
}

function withDefault(column: StrategyColumn, expression: string): string {
  const value = DEFAULTS[column];
  if (value === null) return expression;
  return `coalesce(${expression}, ${typeof value === "number" ? value : `'${JSON.stringify(value)}'`})`;
}

const COMPARED: { readonly [C in StrategyColumn]?: (column: string, flag: string) => string } = {
  serve: (column, flag) =>
    `json(coalesce(${column}, json_object('variant', coalesce(${flag}.variants ->> '$[0].key', 'on'))))`,
  rules: (column) =>
    `(SELECT json_group_array(json_remove(value, '$.id')) FROM json_each(coalesce(${column}, '[]')))`,
};

/**
 * The SQL assignments of `ON CONFLICT DO UPDATE SET` for `strategies`: each column of
 * `insertedColumns` takes its inserted value.
 */
export const overwrittenColumns: SQL = sql.raw(
  NAMES.map((name) => `${name} = excluded.${name}`).join(", "),
);

/**
 * Returns the SQL expression for the size of those fields of a strategy that `strategyJsonFields`
 * can cut, bytes.
 */
export const strategyBytes = (strategy: string): string =>
  JSON_COLUMNS.map((column) => `coalesce(octet_length(${strategy}.${TABLE[column].name}), 0)`).join(
    " + ",
  );

/**
 * Returns the SQL arguments of `json_object` for the fields of a strategy, in the order of the audit
 * records that the management code writes, and as the columns store them. `strategy` is the name or
 * alias of the table `strategies` in the SQL statement. Constraints, rules and slots above
 * `maxBytes`, a number or an SQL expression, become `{$cut: {bytes, items}}`, as in `cappedContents`
 * but without the hash, which SQLite cannot compute. The segment ids are never cut, because a
 * strategy has at most 20.
 */
export function strategyJsonFields(strategy: string, maxBytes: string): string {
  const expressions = strategyExpressions(strategy);
  return STRATEGY_COLUMNS.map((column) => {
    const expression = expressions[column];
    return `'${column}', ${JSON_OF[column]?.(expression, maxBytes) ?? expression}`;
  }).join(", ");
}

/** Returns the JSON of a column, or how large it is. `empty` replaces NULL. */
const cut =
  (empty: string, items: (column: string) => string) =>
  (column: string, maxBytes: string): string =>
    `json(CASE WHEN octet_length(${column}) > ${maxBytes}
      THEN json_object('$cut', json_object('bytes', octet_length(${column})${items(column)}))
      ELSE coalesce(${column}, '${empty}') END)`;

const cutList = cut("[]", (column) => `, 'items', json_array_length(${column})`);

/**
 * The fields whose column is not the value of the field in JSON. Each function returns the SQL
 * expression of the value.
 */
const JSON_OF: {
  readonly [C in StrategyColumn]?: (column: string, maxBytes: string) => string;
} = {
  enabled: (column) => `json(CASE WHEN ${column} THEN 'true' ELSE 'false' END)`,
  constraints: cutList,
  segmentIds: (column) => `json(${column})`,
  serve: cut("null", () => ""),
  rules: cutList,
};
