import { and, asc, eq, or, type SQL, sql } from "drizzle-orm";
import { sortedByName } from "../../core/lib/names.ts";
import { containsText } from "../../db/contains.ts";
import { type ReadDb, write } from "../../db/database.ts";
import { settings, type TokenPurpose, users, userTokens } from "../../db/schema/people.ts";
import {
  selectWithRoles,
  userColumns,
  userIdByEmail,
  type UserRow,
  type UserWithRoles,
} from "../auth/queries.ts";

/** Returns all users, or those whose name or e-mail address contains the text `search`. */
export const listUsers = (db: ReadDb, search: string | undefined): Promise<UserWithRoles[]> =>
  selectWithRoles(db)
    .where(
      search === undefined
        ? undefined
        : or(containsText(sql`${users.name}`, search), containsText(sql`${users.email}`, search)),
    )
    .orderBy(asc(users.id));

/** Returns the ids and names of all users, or of the owners of a project's flags, sorted by name. */
export const listUserNames = async (db: ReadDb, ownersIn: number | undefined) =>
  sortedByName(
    await db
      .select({ id: users.id, name: users.name })
      .from(users)
      .where(
        ownersIn === undefined
          ? undefined
          : sql`users.id IN (SELECT o.user_id FROM flag_owners o JOIN flags f ON f.id = o.flag_id
              WHERE f.project_id = ${ownersIn})`,
      ),
  );

/**
 * Returns the user to whom the token of a link in an e-mail belongs, and who may sign in with a password
 * (null before settings are saved); undefined if no unexpired token of this purpose has this hash.
 */
export async function findTokenUser(db: ReadDb, hash: string, purpose: TokenPurpose, now: number) {
  const rows = await db
    .select({ user: userColumns, passwordSignIn: settings.passwordSignIn })
    .from(userTokens)
    .innerJoin(users, eq(users.id, userTokens.userId))
    .leftJoin(settings, eq(settings.id, 1))
    .where(matchesToken(hash, purpose, now));
  return rows[0];
}

/**
 * Returns the invitation to which the token of a link belongs; undefined if no unexpired token has this hash,
 * or the user is not invited any more. The newest audit record of the invitation says who invited the user.
 */
export async function findInvitation(db: ReadDb, hash: string, now: number) {
  const { email, name, role } = users;
  const invitedBy = sql<string | null>`(SELECT actor_name FROM audit
    WHERE entity_id = ${users.id} AND entity_type = 'user' AND action = 'user.invited'
    ORDER BY at DESC, id DESC LIMIT 1)`;
  const rows = await db
    .select({ email, name, role, invitedBy })
    .from(userTokens)
    .innerJoin(users, eq(users.id, userTokens.userId))
    .where(and(matchesToken(hash, "INVITE", now), eq(users.status, "INVITED")));
  return rows[0];
}

const matchesToken = (hash: string, purpose: TokenPurpose, now: number) =>
  sql`${userTokens.hash} = ${hash} AND ${userTokens.purpose} = ${purpose} AND ${userTokens.expiresAt} > ${now}`;

/**
 * Guard: fails if the token of a link in an e-mail was used or has expired. Using a token deletes its row.
 */
export const tokenIsValid = (hash: string, purpose: TokenPurpose, now: number) =>
  sql`EXISTS (SELECT 1 FROM ${userTokens} WHERE ${matchesToken(hash, purpose, now)})`;

/** Guard: fails if no active administrator other than the user `id` exists. */
export const anotherAdministrator = (id: number) => sql`EXISTS (SELECT 1 FROM ${users}
  WHERE ${users.role} = 'ADMIN' AND ${users.status} = 'ACTIVE' AND ${users.id} <> ${id})`;

/** The SQL condition for break-glass administrators who can sign in with a password and a second factor. */
const isBreakGlass = sql`users.role = 'ADMIN' AND users.status = 'ACTIVE' AND users.break_glass = 1
  AND users.password_hash IS NOT NULL AND EXISTS
    (SELECT 1 FROM user_mfa m WHERE m.user_id = users.id AND m.confirmed_at IS NOT NULL)`;

/** Guard: fails if no break-glass administrator can sign in. */
export const hasBreakGlass = sql`EXISTS (SELECT 1 FROM users WHERE ${isBreakGlass})`;

/**
 * Guard: fails if passwords are turned off and no break-glass administrator other than the user `id`
 * can sign in.
 */
export const anotherBreakGlass = (
  id: number,
) => sql`(NOT EXISTS (SELECT 1 FROM ${settings} WHERE ${settings.passwordSignIn} = 'breakGlass')
  OR EXISTS (SELECT 1 FROM users WHERE ${isBreakGlass} AND users.id <> ${id}))`;

export const countUsers = sql`SELECT count(*) FROM ${users}`;

export const updateUser = (
  id: number,
  change: Partial<
    Pick<UserRow, "name" | "role" | "status" | "locale" | "avatar" | "passwordHash" | "breakGlass">
  >,
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
 * The guard that limits the links that a user gets by e-mail. Fails if the last link of this purpose was sent
 * less than `pauseMs` ago, or if `most` unused links of this purpose were sent in the last `periodMs`.
 */
export function mayGetLink(
  userId: number,
  purpose: TokenPurpose,
  limit: {
    readonly now: number;
    readonly pauseMs: number;
    readonly most: number;
    readonly periodMs: number;
  },
) {
  const { now, pauseMs, most, periodMs } = limit;
  return sql`(SELECT count(*) < ${most} AND coalesce(max(created_at), 0) <= ${now - pauseMs}
    FROM user_tokens WHERE user_id = ${userId} AND purpose = ${purpose}
      AND created_at > ${now - periodMs})`;
}

/**
 * The statement that deletes all of a user's tokens of one purpose, such as a password reset. The
 * statement runs when a link is used, so that the other links stop working.
 */
export const deleteTokens = (
  user: number | ReturnType<typeof userIdByEmail>,
  purpose: TokenPurpose,
) => sql`DELETE FROM user_tokens WHERE user_id = ${user} AND purpose = ${purpose}`;

/**
 * The statements that end a user's sessions, except the session `except`, and the logins on devices whose
 * token the device has not taken yet. They must be in the transaction of the change that ends the
 * sessions. The Durable Object of an ended session deletes its storage when its refresh token expires.
 */
export const endSessions = (userId: number, except?: string) => [
  sql`DELETE FROM sessions WHERE user_id = ${userId} AND id IS NOT ${except ?? null}`,
  sql`DELETE FROM device_logins WHERE decided_by = ${userId}`,
];

/**
 * The statements that end what began without a provider: the sessions of a password or a passkey, and the
 * logins on devices and the codes of OAuth clients that are approved but have no token yet. An approval
 * does not say how its user had signed in, so the approvals of all who have a password or a passkey end.
 * @param userIds a SELECT of the ids of the users
 */
export function endLocalAccess(userIds: SQL): SQL[] {
  const local = sql`SELECT id FROM users WHERE id IN (${userIds}) AND (password_hash IS NOT NULL
    OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = users.id))`;
  return [
    sql`DELETE FROM sessions WHERE issuer IS NULL AND user_id IN (${userIds})`,
    sql`DELETE FROM device_logins WHERE decision = 'approved' AND decided_by IN (${local})`,
    sql`DELETE FROM oauth_codes WHERE family_id IS NULL AND user_id IN (${local})`,
  ];
}

/** Selects the user `id` while passwords are turned off. */
export const ifPasswordsAreOff = (id: number): SQL =>
  sql`SELECT ${id} FROM ${settings} WHERE ${settings.passwordSignIn} = 'breakGlass'`;

/**
 * The statements that end the access of a user's agents, and delete the codes of their clients. A user who
 * is active again must approve each agent again. They must be in the transaction of the change that ends
 * the access.
 */
export const endAgents = (userId: number, now: number) => [
  sql`UPDATE access_tokens SET revoked_at = ${now}
    WHERE user_id = ${userId} AND client_id IS NOT NULL AND revoked_at IS NULL`,
  sql`DELETE FROM oauth_codes WHERE user_id = ${userId}`,
];
