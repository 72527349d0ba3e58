import { getTableColumns, getTableName, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { jsonChunks, jsonList } from "./json-list.ts";

/**
 * Statements that write many rows of a table. Their number depends on the size of the rows, and not
 * on how many there are.
 */

type TableWithId = SQLiteTable & { readonly id: SQLiteColumn };

/** Returns the statements that insert rows. All rows have the same fields. */
export function insertRows<T extends SQLiteTable>(
  table: T,
  rows: readonly T["$inferInsert"][],
): SQL[] {
  const fields = fieldsOf(table, rows[0] ?? {});
  const names = fields.map(({ column }) => column.name).join(", ");
  return jsonChunks(rows).map(
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
 * Returns the statements that update rows: at least one for each set of fields that change together.
 * Rows with the same fields are updated in one statement.
 */
export function updateRows(table: TableWithId, rows: readonly RowChange[]): SQL[] {
  const groups = Map.groupBy(rows, ({ change }) => Object.keys(change).toSorted().join());
  return [...groups.values()].flatMap((group) => {
    const fields = fieldsOf(table, group[0]?.change ?? {});
    const set = fields.map((field) => `${field.column.name} = ${valueOf(field)}`);
    return jsonChunks(group.map(({ change, ...row }) => ({ ...change, ...row }))).map(
      (
        chunk,
      ) => sql`UPDATE ${table} SET ${sql.raw([...set, "version = version + (j.value ->> 'versions')"].join(", "))}
        FROM json_each(${chunk}) j WHERE ${sql.raw(getTableName(table))}.id = j.value ->> 'id'`,
    );
  });
}

/** Returns the statement that deletes rows; none for an empty list. */
export const deleteRows = (table: TableWithId, ids: readonly number[]): SQL[] =>
  ids.length === 0 ? [] : [sql`DELETE FROM ${table} WHERE ${table.id} IN ${jsonList(ids)}`];

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
