import { asc, inArray, sql } from "drizzle-orm";
import { sortedByName } from "../../core/lib/names.ts";
import type { ReadDb } from "../../db/database.ts";
import { users } from "../../db/schema/people.ts";
import { flags } from "../../db/schema/projects.ts";
import { inIds } from "../../db/ids.ts";

/** Returns the flags that a flag requires, and the flags in its `requiredBy`, sorted by key. */
export function linkedFlags(db: ReadDb, { id }: { readonly id: number }) {
  const linked = sql`(SELECT required_flag_id FROM flag_prerequisites WHERE flag_id = ${id}
    UNION ALL SELECT p.flag_id FROM flag_prerequisites p JOIN flags d ON d.id = p.flag_id
      WHERE p.required_flag_id = ${id} AND d.archived = 0)`;
  return db
    .select({ id: flags.id, key: flags.key, name: flags.name })
    .from(flags)
    .where(inArray(flags.id, linked))
    .orderBy(asc(flags.key));
}

/** Returns the users with these ids, sorted by name. */
export const namesOfUsers = async (db: ReadDb, ids: readonly number[]) =>
  sortedByName(
    await db.select({ id: users.id, name: users.name }).from(users).where(inIds(users.id, ids)),
  );
