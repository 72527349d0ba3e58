import { asc, sql } from "drizzle-orm";
import { isSame } from "../../core/audit/changed-fields.ts";
import type { Statement } from "../../db/commit.ts";
import type { ReadDb } from "../../db/database.ts";
import { jsonChunks, inList } from "../../db/json-list.ts";
import { users } from "../../db/schema/people.ts";
import { inIds } from "../../db/ids.ts";
import type { ChangedRows } from "../../db/changed-rows.ts";

interface OwnedFlag {
  readonly id: number;
  readonly ownerIds: readonly number[];
}

/** Returns the statements that remove and add the owners of flags whose owners change. */
export function replaceOwners({ created, updated }: ChangedRows<OwnedFlag>) {
  const changed = updated.filter(({ before, after }) => !isSame(before.ownerIds, after.ownerIds));
  const removed = changed.filter(({ before }) => before.ownerIds.length > 0);
  const added = [...created, ...changed.map(({ after }) => after)].flatMap(({ id, ownerIds }) =>
    ownerIds.map((ownerId) => [id, ownerId]),
  );
  const remove: Statement[] =
    removed.length === 0
      ? []
      : [
          sql`DELETE FROM flag_owners WHERE flag_id IN ${inList(removed.map(({ after }) => after.id))}`,
        ];
  const add: Statement[] = jsonChunks(added).map(
    (chunk) => sql`INSERT INTO flag_owners (flag_id, user_id)
      SELECT value ->> 0, value ->> 1 FROM json_each(${chunk})`,
  );
  return { remove, add };
}

/** Returns the SQL condition on the table `flags` that selects the flags that one of the users owns. */
export const isOwnedBy = (userIds: readonly number[]) =>
  sql`flags.id IN (SELECT o.flag_id FROM flag_owners o WHERE o.user_id IN ${inList(userIds)})`;

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
