import { integer } from "drizzle-orm/sqlite-core";

/** All times are epoch milliseconds, UTC. Ids are never used twice (AUTOINCREMENT): audit names them. */
export const id = () => integer("id").primaryKey({ autoIncrement: true });
export const time = (name: string) => integer(name);
export const flag = (name: string) => integer(name, { mode: "boolean" });

/** Counts the changes of a row that people edit: its ETag. */
export const version = () => integer("version").notNull().default(1);
