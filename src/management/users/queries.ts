import { asc, eq, sql } from "drizzle-orm";
import { type ReadDb, write } from "../../db/database.ts";
import { sessions, type TokenPurpose, users, userTokens } from "../../db/schema/people.ts";
import { userIdByEmail, type UserRow } from "../auth/queries.ts";

export const listUsers = (db: ReadDb): Promise<UserRow[]> =>
  db.select().from(users).orderBy(asc(users.id));

export async function listSessionIds(db: ReadDb, userId: number): Promise<string[]> {
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, userId));
  return rows.map((row) => row.id);
}

/**
 * Returns the user to whom the token of a link in an e-mail belongs; undefined if no unexpired
 * token of this purpose has this hash.
 */
export async function findTokenUser(
  db: ReadDb,
  hash: string,
  purpose: TokenPurpose,
  now: number,
): Promise<UserRow | undefined> {
  const rows = await db
    .select({ user: users })
    .from(userTokens)
    .innerJoin(users, eq(users.id, userTokens.userId))
    .where(matchesToken(hash, purpose, now));
  return rows[0]?.user;
}

const matchesToken = (hash: string, purpose: TokenPurpose, now: number) =>
  sql`${userTokens.hash} = ${hash} AND ${userTokens.purpose} = ${purpose} AND ${userTokens.expiresAt} > ${now}`;

/**
 * Guard: passes while the token of a link in an e-mail is unused and has not expired. Using a token
 * deletes its row.
 */
export const tokenIsValid = (hash: string, purpose: TokenPurpose, now: number) =>
  sql`EXISTS (SELECT 1 FROM ${userTokens} WHERE ${matchesToken(hash, purpose, now)})`;

/** Guard: passes while an active administrator other than the user `id` exists. */
export const anotherAdministrator = (id: number) => sql`EXISTS (SELECT 1 FROM ${users}
  WHERE ${users.role} = 'ADMIN' AND ${users.status} = 'ACTIVE' AND ${users.id} <> ${id})`;

export const countUsers = sql`SELECT count(*) FROM ${users}`;

export const updateUser = (
  id: number,
  change: Partial<Pick<UserRow, "name" | "role" | "status" | "locale" | "avatar" | "passwordHash">>,
) =>
  write
    .update(users)
    .set({ ...change, version: sql`${users.version} + 1` })
    .where(eq(users.id, id));

export const deleteUser = (id: number) => write.delete(users).where(eq(users.id, id));

export const insertToken = (
  user: number | ReturnType<typeof userIdByEmail>,
  token: { hash: string; purpose: TokenPurpose; createdAt: number; expiresAt: number },
) => write.insert(userTokens).values({ ...token, userId: sql`${user}` });

/**
 * The statement that deletes all of a user's tokens of one purpose. Using a link, or sending a new
 * one, thus invalidates the earlier links.
 */
export const deleteTokens = (
  user: number | ReturnType<typeof userIdByEmail>,
  purpose: TokenPurpose,
) => sql`DELETE FROM user_tokens WHERE user_id = ${user} AND purpose = ${purpose}`;

/** The statement that deletes the rows of a user's sessions, except the session `except`. */
export const deleteSessions = (userId: number, except: string | undefined) =>
  sql`DELETE FROM sessions WHERE user_id = ${userId} AND id IS NOT ${except ?? null}`;
