import { and, asc, eq, gt, sql } from "drizzle-orm";
import { type ReadDb, write } from "../../db/database.ts";
import { sessions, userMfa, users } from "../../db/schema/people.ts";
import { identities, signOnCodes } from "../../db/schema/sign-on.ts";
import { secondFactors, userColumns, type userIdByEmail } from "../auth/queries.ts";

type UserId = number | ReturnType<typeof userIdByEmail>;

/** The columns that the rules about a sign-in at `issuer` need of a user. */
const candidateColumns = (issuer: string) => ({
  user: userColumns,
  isLinked: sql<boolean>`EXISTS (SELECT 1 FROM identities own
    WHERE own.user_id = users.id AND own.issuer = ${issuer})`
    .mapWith(Boolean)
    .as("is_linked"),
  isLastAdministrator: sql<boolean>`users.role = 'ADMIN' AND NOT EXISTS (SELECT 1 FROM users other
    WHERE other.role = 'ADMIN' AND other.status = 'ACTIVE' AND other.id <> users.id)`
    .mapWith(Boolean)
    .as("is_last_administrator"),
});

export async function findLinkedUser(db: ReadDb, issuer: string, subject: string) {
  const rows = await db
    .select(candidateColumns(issuer))
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));
  return rows[0];
}

/** Returns the user with this e-mail address as `findLinkedUser` does. */
export const findUserWithEmail = (db: ReadDb, issuer: string, email: string) =>
  candidate(db, issuer, sql`users.email = ${email}`);

/**
 * Returns the user to whom the link of an invitation belongs as `findLinkedUser` does; undefined if
 * the link was used or has expired.
 */
export const findInvitedUser = (
  db: ReadDb,
  issuer: string,
  { hash, now }: { readonly hash: string; readonly now: number },
) =>
  candidate(
    db,
    issuer,
    sql`users.id = (SELECT user_id FROM user_tokens
      WHERE hash = ${hash} AND purpose = 'INVITE' AND expires_at > ${now})`,
  );

async function candidate(db: ReadDb, issuer: string, condition: ReturnType<typeof sql>) {
  return (await db.select(candidateColumns(issuer)).from(users).where(condition))[0];
}

export const listIdentities = (db: ReadDb, userId: number) =>
  db
    .select()
    .from(identities)
    .where(eq(identities.userId, userId))
    .orderBy(asc(identities.createdAt));

export const insertIdentity = (
  userId: UserId,
  identity: Omit<typeof identities.$inferInsert, "userId">,
) => write.insert(identities).values({ ...identity, userId: sql`${userId}` });

export const touchIdentity = (
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
  change: { readonly email: string | null; readonly lastUsedAt: number },
) =>
  write
    .update(identities)
    .set(change)
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));

export const deleteIdentity = (issuer: string, subject: string) =>
  write
    .delete(identities)
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));

/** Guard: fails if the account is not linked to the user. */
export const identityIsOf = (userId: number, issuer: string, subject: string) =>
  sql`EXISTS (SELECT 1 FROM identities
    WHERE issuer = ${issuer} AND subject = ${subject} AND user_id = ${userId})`;

/**
 * Guard: fails if the user could not sign in without the accounts at an issuer: neither with another
 * account, nor with a password, which counts only if the user may use one.
 * @param passwordCounts whether the user may use a password while passwords are turned off
 */
export const hasOtherWay = (userId: number, issuer: string, passwordCounts: boolean) =>
  sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND (
    EXISTS (SELECT 1 FROM identities WHERE user_id = ${userId} AND issuer <> ${issuer})
    OR password_hash IS NOT NULL AND (${passwordCounts ? 1 : 0}
      OR NOT EXISTS (SELECT 1 FROM settings WHERE password_sign_in = 'breakGlass'))))`;

/** The statement that ends a user's sessions that began at an issuer, except the session `except`. */
export const endSessionsAt = (userId: number, issuer: string, except: string | undefined) =>
  sql`DELETE FROM sessions
    WHERE user_id = ${userId} AND issuer = ${issuer} AND id IS NOT ${except ?? null}`;

export const insertCode = (
  userId: UserId | null,
  code: Omit<typeof signOnCodes.$inferInsert, "userId">,
) => write.insert(signOnCodes).values({ ...code, userId: sql`${userId}` });

/** Returns the code with this hash, its user, and the second factors that the user has turned on. */
export async function findCode(db: ReadDb, hash: string, now: number) {
  const rows = await db
    .select({
      code: signOnCodes,
      user: userColumns,
      secondFactors,
    })
    .from(signOnCodes)
    .innerJoin(users, eq(users.id, signOnCodes.userId))
    .leftJoin(userMfa, eq(userMfa.userId, users.id))
    .where(and(eq(signOnCodes.hash, hash), gt(signOnCodes.expiresAt, now)));
  return rows[0];
}

/** Guard: fails if what has this hash, such as a challenge of a passkey, was used before. */
export const isFirstUse = (hash: string) =>
  sql`NOT EXISTS (SELECT 1 FROM sign_on_codes WHERE hash = ${hash})`;

/** Guard: fails if a code was used before. */
export const codeIsUnused = (hash: string) =>
  sql`EXISTS (SELECT 1 FROM sign_on_codes WHERE hash = ${hash})`;

export const deleteCode = (hash: string) =>
  write.delete(signOnCodes).where(eq(signOnCodes.hash, hash));

/** What a logout token of a provider names: a session there, or a person. */
export interface LoggedOut {
  readonly issuer: string;
  readonly idpSession: string | undefined;
  readonly subject: string | undefined;
}

/** The SQL condition for the sessions that a logout token names. */
const isLoggedOut = ({ issuer, idpSession, subject }: LoggedOut) =>
  idpSession === undefined
    ? sql`sessions.issuer = ${issuer} AND sessions.user_id = (SELECT i.user_id FROM identities i
        WHERE i.issuer = ${issuer} AND i.subject = ${subject ?? null})`
    : sql`sessions.issuer = ${issuer} AND sessions.idp_session = ${idpSession}`;

/** Returns the id of the user whose sessions a logout token ends; undefined if it ends none. */
export async function findLoggedOutUser(db: ReadDb, logout: LoggedOut) {
  const rows = await db
    .select({ userId: sessions.userId })
    .from(sessions)
    .where(isLoggedOut(logout))
    .limit(1);
  return rows[0]?.userId;
}

export const endLoggedOut = (logout: LoggedOut) =>
  sql`DELETE FROM sessions WHERE ${isLoggedOut(logout)}`;
