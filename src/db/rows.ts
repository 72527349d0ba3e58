import type { Pausing } from "@feature-flags/evaluation/pausing";
import { getTableColumns, getTableName, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { isSame } from "../core/audit/changed-fields.ts";
import { jsonChunkSteps, inList } from "./json-list.ts";

/**
 * Statements that write many rows of a table. Their number depends on the size of the rows, and not
 * on how many there are.
 */

type TableWithId = SQLiteTable & { readonly id: SQLiteColumn };

/** Returns the statements that insert rows. All rows have the same fields. `rowOf`: the row of an item. */
export function* insertRows<T extends SQLiteTable, Item extends object = T["$inferInsert"]>(
  table: T,
  items: readonly Item[],
  rowOf: (item: Item) => T["$inferInsert"] = (item) => item,
): Pausing<SQL[]> {
  const [first] = items;
  if (!first) return [];
  const fields = fieldsOf(table, rowOf(first));
  const names = fields.map(({ column }) => column.name).join(", ");
  const chunks = yield* jsonChunkSteps(items.values().map(rowOf));
  return chunks.map(
    (chunk) => sql`INSERT INTO ${table} (${sql.raw(names)})
      SELECT ${sql.raw(fields.map(valueOf).join(", "))} FROM json_each(${chunk}) j`,
  );
}

/** The change of one row, whose version grows by `versions`. */
export interface RowChange {
  readonly id: number;
  readonly versions: number;
  /** The fields that get another value. */
  readonly change: Readonly<Record<string, unknown>>;
}

/**
 * Returns the statements that update rows: one for all rows that change alike, else at least one for
 * each set of fields that change together.
 */
export function* updateRows(table: TableWithId, rows: readonly RowChange[]): Pausing<SQL[]> {
  const groups = Map.groupBy(rows, ({ change }) => Object.keys(change).toSorted().join());
  const statements: SQL[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    if (!first) continue;
    const { change, versions } = first;
    const isAlike = group.every((row) => row.versions === versions && isSame(row.change, change));
    if (isAlike) {
      const list = JSON.stringify([{ ...change, versions }]);
      statements.push(updateFrom(table, change, list, inIds(table, group)));
      continue;
    }
    const name = sql.raw(getTableName(table));
    const changed = group
      .values()
      .map(({ change: fields, ...row }) => Object.assign({}, fields, row));
    for (const list of yield* jsonChunkSteps(changed))
      statements.push(updateFrom(table, change, list, sql`${name}.id = j.value ->> 'id'`));
  }
  return statements;
}

/** Returns the statement that updates rows of a table from a list of JSON objects. */
function updateFrom(table: TableWithId, change: object, list: string, where: SQL): SQL {
  const set = fieldsOf(table, change).map((field) => `${field.column.name} = ${valueOf(field)}`);
  const assignments = [...set, "version = version + (j.value ->> 'versions')"].join(", ");
  return sql`UPDATE ${table} SET ${sql.raw(assignments)} FROM json_each(${list}) j WHERE ${where}`;
}

const inIds = (table: TableWithId, rows: readonly { readonly id: number }[]): SQL =>
  sql`${sql.raw(getTableName(table))}.id IN ${inList(rows.map(({ id }) => id))}`;

/** Returns the statement that deletes rows; none for an empty list. */
export const deleteRows = (table: TableWithId, ids: readonly number[]): SQL[] =>
  ids.length === 0 ? [] : [sql`DELETE FROM ${table} WHERE ${table.id} IN ${inList(ids)}`];

interface Field {
  readonly name: string;
  readonly column: SQLiteColumn;
}

const fieldsOf = (table: SQLiteTable, row: object): Field[] =>
  Object.entries(getTableColumns(table) as Record<string, SQLiteColumn>)
    .filter(([name]) => Object.hasOwn(row, name))
    .map(([name, column]) => ({ name, column }));

/** Returns the SQL expression for a field of the row in `j.value`. A JSON column keeps its JSON. */
const valueOf = ({ name, column }: Field): string =>
  column.dataType === "json" ? `nullif(j.value -> '${name}', 'null')` : `j.value ->> '${name}'`;
