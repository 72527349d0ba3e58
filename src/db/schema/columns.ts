import { integer } from "drizzle-orm/sqlite-core";

/** Never reused (AUTOINCREMENT), because audit records refer to ids of deleted rows. */
export const id = () => integer("id").primaryKey({ autoIncrement: true });
/** Epoch milliseconds. */
export const time = (name: string) => integer(name);
export const flag = (name: string) => integer(name, { mode: "boolean" });

/** The number of changes of a row, for its ETag and the optimistic lock. */
export const version = () => integer("version").notNull().default(1);
