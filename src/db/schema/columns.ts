import { integer } from "drizzle-orm/sqlite-core";

/**
 * The column for the id of a row. SQLite never reuses an id (AUTOINCREMENT), because audit records
 * refer to the ids of deleted rows.
 */
export const id = () => integer("id").primaryKey({ autoIncrement: true });
/** A column for a time in epoch milliseconds. */
export const time = (name: string) => integer(name);
export const flag = (name: string) => integer(name, { mode: "boolean" });

/**
 * The column for the version of a resource. Each change of the resource through the API increments
 * the version. ETags contain the version, and optimistic locks compare it.
 */
export const version = () => integer("version").notNull().default(1);
