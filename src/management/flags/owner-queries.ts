import { asc, type SQL, sql } from "drizzle-orm";
import type { Statement } from "../../db/commit.ts";
import type { ReadDb } from "../../db/database.ts";
import { flagOwners, users } from "../../db/schema/people.ts";
import { inIds } from "../ids.ts";

/** Returns the statement that adds owners to the flag with the given key; none for an empty list. */
export const insertOwners = (
  { projectId, key }: { readonly projectId: number; readonly key: string },
  ownerIds: readonly number[],
): Statement[] =>
  ownerIds.length === 0
    ? []
    : [
        sql`INSERT INTO flag_owners (flag_id, user_id)
          SELECT f.id, j.value FROM json_each(${JSON.stringify(ownerIds)}) j
          JOIN flags f ON f.project_id = ${projectId} AND f.key = ${key}`,
      ];

/** Returns the statement that copies the owners of a source flag to a new flag. */
export const copyOwners = (sourceId: number, flagId: SQL): Statement =>
  sql`INSERT INTO flag_owners (flag_id, user_id)
    SELECT ${flagId}, user_id FROM flag_owners WHERE flag_id = ${sourceId}`;

export const deleteOwners = (flagId: number): Statement =>
  sql`DELETE FROM ${flagOwners} WHERE ${flagOwners.flagId} = ${flagId}`;

/** Returns the SQL condition on the table `flags` that selects the flags of an owner. */
export const isOwnedBy = (userId: number) =>
  sql`flags.id IN (SELECT o.flag_id FROM flag_owners o WHERE o.user_id = ${userId})`;

/** Returns the ids in the list that are ids of existing users, in ascending order. */
export async function existingUsers(db: ReadDb, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(inIds(users.id, ids))
    .orderBy(asc(users.id));
  return rows.map(({ id }) => id);
}
