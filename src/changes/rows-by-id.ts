import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { ReadDb } from "../db/database.ts";
import { inIds } from "../db/ids.ts";

export async function findByIds<T extends SQLiteTable & { readonly id: SQLiteColumn }>(
  db: ReadDb,
  table: T,
  ids: readonly number[],
): Promise<T["$inferSelect"][]> {
  if (ids.length === 0) return [];
  return db.select().from(table).where(inIds(table.id, ids));
}

export const byId = <T extends { readonly id: number }>(rows: readonly T[]): Map<number, T> =>
  new Map(rows.map((row) => [row.id, row]));
