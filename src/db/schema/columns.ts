import { integer } from "drizzle-orm/sqlite-core";

/**
 * A row's id. SQLite never reuses it (AUTOINCREMENT), because audit records refer to ids of deleted
 * rows.
 */
export const id = () => integer("id").primaryKey({ autoIncrement: true });
/** A column for a time in epoch milliseconds. */
export const time = (name: string) => integer(name);
export const flag = (name: string) => integer(name, { mode: "boolean" });

/**
 * The version of a row, which every change increments. It is the row's ETag and its optimistic
 * lock.
 */
export const version = () => integer("version").notNull().default(1);
