import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import {
  DEFAULT_STRATEGY,
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
/** The columns that every writer of a strategy fills: the fields, and the size of the rule. */
const NAMES = [...COLUMN_FIELDS.map((field) => COLUMNS[field].name), strategies.ruleBytes.name];

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
 * The SQL list of the columns that an INSERT into `strategies` fills with the fields of a strategy and
 * its size in the rules.
 */
export const insertedColumns: SQL = sql.raw(NAMES.join(", "));

/** The columns that contain JSON. */
const JSON_FIELDS: readonly ColumnField[] = ["constraints", "serve", "rules"];
const JSON_NAMES = new Set(JSON_FIELDS.map((field) => COLUMNS[field].name));

/**
 * Returns the values of an INSERT into `strategies` as items of a JSON array, in the order of
 * `insertedColumns`. `valuesFromJson` reads them in SQL. `ruleBytes`: see `strategyRuleBytes`.
 */
export const jsonValues = (content: StrategyContent, ruleBytes: number): readonly unknown[] => [
  ...COLUMN_FIELDS.map((field) => {
    const stored = storedValue(field, content[field]);
    return stored !== null && JSON_FIELDS.includes(field) ? content[field] : stored;
  }),
  ruleBytes,
];

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
  sql.raw(
    NAMES.map((name) => (name === COLUMNS.enabled.name && !withState ? "0" : name)).join(", "),
  );

/**
 * Returns the SQL expression of the content of a strategy, for comparisons in SQL. `strategy` and
 * `flag` are the names or aliases of the tables. A row of NULLs gives the default strategy. The ids
 * of ordered rules do not matter.
 */
export function comparedContent(strategy: string, flag: string): SQL {
  const expressions = strategyExpressions(strategy);
  const compared = STRATEGY_FIELDS.map(
    (field) =>
      COMPARED[field]?.(expressions[field], flag) ?? withDefault(field, expressions[field]),
  );
  return sql.raw(`json_array(${compared.join(", ")})`);
}

function withDefault(field: StrategyField, column: string): string {
  const value = storedValue(field, DEFAULT_STRATEGY[field]);
  return value === null
    ? column
    : `coalesce(${column}, ${typeof value === "string" ? `'${value}'` : value})`;
}

const COMPARED: { readonly [F in StrategyField]?: (column: string, flag: string) => string } = {
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
  JSON_FIELDS.map((field) => `coalesce(octet_length(${strategy}.${COLUMNS[field].name}), 0)`).join(
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
  return STRATEGY_FIELDS.map((field) => {
    const column = expressions[field];
    return `'${field}', ${JSON_OF[field]?.(column, maxBytes) ?? column}`;
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
  readonly [F in StrategyField]?: (column: string, maxBytes: string) => string;
} = {
  enabled: (column) => `json(CASE WHEN ${column} THEN 'true' ELSE 'false' END)`,
  constraints: cutList,
  segmentIds: (column) => `json(${column})`,
  serve: cut("null", () => ""),
  rules: cutList,
};
