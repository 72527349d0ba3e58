import { and, asc, eq, sql } from "drizzle-orm";
import { type ReadDb, write } from "../../db/database.ts";
import { settings, users } from "../../db/schema/people.ts";
import { passkeys } from "../../db/schema/sign-on.ts";
import { userColumns } from "../auth/queries.ts";

export type PasskeyRow = typeof passkeys.$inferSelect;

export const listPasskeys = (db: ReadDb, userId: number): Promise<PasskeyRow[]> =>
  db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id));

/** Returns a passkey of the user; undefined if the user has none with this id. */
export async function findPasskey(
  db: ReadDb,
  userId: number,
  id: number,
): Promise<PasskeyRow | undefined> {
  const where = and(eq(passkeys.id, id), eq(passkeys.userId, userId));
  return (await db.select().from(passkeys).where(where))[0];
}

/**
 * Returns the passkey with the credential id, its user, and who may sign in without a provider (null
 * before settings are saved).
 */
export async function findCredential(db: ReadDb, credentialId: string) {
  const rows = await db
    .select({ passkey: passkeys, user: userColumns, passwordSignIn: settings.passwordSignIn })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .leftJoin(settings, eq(settings.id, 1))
    .where(eq(passkeys.credentialId, credentialId));
  return rows[0];
}

export const countPasskeys = (userId: number) =>
  sql`SELECT count(*) FROM ${passkeys} WHERE ${passkeys.userId} = ${userId}`;

/** Guard: fails if the user has no passkey with this id any more. */
export const passkeyIsOf = (id: number, userId: number) =>
  sql`EXISTS (SELECT 1 FROM passkeys WHERE id = ${id} AND user_id = ${userId})`;

export const insertPasskey = (passkey: typeof passkeys.$inferInsert) =>
  write.insert(passkeys).values(passkey);

export const renamePasskey = (id: number, name: string) =>
  write.update(passkeys).set({ name }).where(eq(passkeys.id, id));

export const deletePasskey = (id: number) => write.delete(passkeys).where(eq(passkeys.id, id));

/**
 * Guard: fails if the passkey was deleted, or was used with a counter that is not lower than `counter`,
 * since it was read. A counter of 0 means that the authenticator does not count.
 */
export const counterGrows = (id: number, counter: number) =>
  sql`EXISTS (SELECT 1 FROM passkeys WHERE id = ${id}
    AND (counter < ${counter} OR counter = 0 AND ${counter} = 0))`;

export const touchPasskey = (
  id: number,
  use: Pick<PasskeyRow, "counter" | "backedUp" | "lastUsedAt">,
) => write.update(passkeys).set(use).where(eq(passkeys.id, id));
