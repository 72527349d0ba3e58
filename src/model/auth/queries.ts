import { and, desc, eq, getTableColumns, isNotNull, isNull, sql, type SQL } from "drizzle-orm";
import type { Role, UserActor } from "@feature-flags/permissions/permissions";
import { type ReadDb, write } from "../../db/database.ts";
import { fromJson } from "../../db/json-list.ts";
import { sessions, settings, userMfa, users } from "../../db/schema/people.ts";
import { apiKeys, environments, projects } from "../../db/schema/projects.ts";
import { accessTokens, serviceAccounts } from "../../db/schema/tokens.ts";
import { unaudited } from "../../db/unaudited.ts";

/** A user, and whether the user can sign in at an identity provider. */
export type UserRow = typeof users.$inferSelect & { readonly hasIdentity: boolean };

/** The columns of `UserRow`. */
export const userColumns = {
  ...getTableColumns(users),
  hasIdentity: sql<boolean>`EXISTS (SELECT 1 FROM identities i WHERE i.user_id = users.id)`
    .mapWith(Boolean)
    .as("has_identity"),
};
export type SessionRow = typeof sessions.$inferSelect;

export async function findUser(db: ReadDb, id: number): Promise<UserRow | undefined> {
  return (await db.select(userColumns).from(users).where(eq(users.id, id)))[0];
}

export async function findUserByEmail(db: ReadDb, email: string): Promise<UserRow | undefined> {
  return (await db.select(userColumns).from(users).where(eq(users.email, email)))[0];
}

/** The second factors that a user can have: codes of an authenticator app, and passkeys. */
export const SECOND_FACTORS = ["totp", "passkey"] as const;
export type SecondFactor = (typeof SECOND_FACTORS)[number];

const hasTotp = sql`${userMfa.confirmedAt} IS NOT NULL`;
const hasPasskey = sql.raw("EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = users.id)");

/**
 * The SQL expression for the second factors that the user of a row has turned on, as JSON. The query
 * joins `user_mfa`.
 */
export const secondFactors = fromJson(
  sql<readonly SecondFactor[]>`(SELECT json_group_array(value) FROM json_each('["totp","passkey"]')
    WHERE iif(value = 'totp', ${hasTotp}, ${hasPasskey}))`,
);

/** Whether the user of a row has a second factor that is turned on. The query joins `user_mfa`. */
const hasMfa = sql<boolean>`(${hasTotp} OR ${hasPasskey})`.mapWith(Boolean);

/**
 * Returns the user with this e-mail address, the second factors that are turned on, and who may sign
 * in with a password (null before settings are saved).
 */
export const findSignIn = (db: ReadDb, email: string) => signInWhere(db, eq(users.email, email));

/** Returns the user with this id as `findSignIn` does; undefined if there is none. */
export const findSignInById = (db: ReadDb, id: number) => signInWhere(db, eq(users.id, id));

async function signInWhere(db: ReadDb, condition: SQL) {
  const rows = await db
    .select({ user: userColumns, secondFactors, passwordSignIn: settings.passwordSignIn })
    .from(users)
    .leftJoin(userMfa, eq(userMfa.userId, users.id))
    .leftJoin(settings, eq(settings.id, 1))
    .where(condition);
  return rows[0];
}

/**
 * Returns a session with its user, and the setting of the idle timeout (null before settings are
 * saved). Returns undefined if the session does not exist.
 */
export async function findSession(db: ReadDb, id: string) {
  const rows = await db
    .select({
      session: sessions,
      user: userColumns,
      hiddenProjects,
      sessionTimeoutHours: settings.sessionTimeoutHours,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(settings, eq(settings.id, 1))
    .where(eq(sessions.id, id));
  return rows[0];
}

/**
 * Returns a session with its user and with the project `projectId`, which is null if it does not
 * exist or is hidden from the user. Returns undefined if the session does not exist.
 */
export async function findSessionAndProject(db: ReadDb, id: string, projectId: number) {
  const rows = await db
    .select({ session: sessions, user: userColumns, project: projects })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(projects, eq(projects.id, projectId))
    .where(eq(sessions.id, id));
  return rows[0];
}

/** The condition that the user of a row is a member of the project `p`. */
const isMember = sql.raw(`EXISTS (SELECT 1 FROM project_members m
  WHERE m.project_id = p.id AND m.user_id = users.id)`);

/**
 * Returns the SQL expression for the ids of the projects of whose existence somebody with a role must
 * not learn, as JSON. Audit records refer to deleted projects, too.
 */
const hiddenFrom = (role: SQL, member: SQL) =>
  fromJson(sql<readonly number[]>`iif(${role} = 'ADMIN', '[]',
    (SELECT json_group_array(id) FROM (SELECT p.id FROM projects p
      WHERE p.visibility = 'members' AND NOT ${member}
      UNION ALL SELECT id FROM deleted_private_projects)))`);

const hiddenProjects = hiddenFrom(sql.raw("users.role"), isMember);

/** The SQL expression for the roles of the user of a row in projects, as JSON. */
const projectRoles = sql<UserActor["projectRoles"]>`(
  SELECT json_group_array(json_array(project_id, role)) FROM
    (SELECT m.project_id, m.role FROM project_members m WHERE m.user_id = users.id
      ORDER BY m.project_id))`.mapWith(
  (json: string) => new Map(JSON.parse(json) as [number, Role][]),
);

/** A user with the roles in projects, by the id of the project. */
export interface UserWithRoles extends Pick<UserActor, "projectRoles"> {
  readonly user: UserRow;
}

export const selectWithRoles = (db: ReadDb) =>
  db.select({ user: userColumns, projectRoles }).from(users);

/** Returns the user with this id with the roles in projects; undefined if there is none. */
export async function findUserWithRoles(
  db: ReadDb,
  id: number,
): Promise<UserWithRoles | undefined> {
  return (await selectWithRoles(db).where(eq(users.id, id)))[0];
}

const actorColumns = {
  user: userColumns,
  projectRoles,
  hiddenProjects,
  hasMfa,
  requireMfa: settings.requireMfa,
  requireMfaSince: settings.requireMfaSince,
};

/**
 * Returns the user of a session, whether the user has a second factor that is turned on, whether the
 * session began with a second factor (`sessionMfa`), and the settings that require one (null before
 * settings are saved). Returns undefined if the session has ended or belongs to another user.
 */
export async function findActor(db: ReadDb, claims: { userId: number; sessionId: string }) {
  const rows = await db
    .select({ ...actorColumns, sessionMfa: sessions.mfa })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(userMfa, eq(userMfa.userId, users.id))
    .leftJoin(settings, eq(settings.id, 1))
    .where(
      and(
        eq(sessions.id, claims.sessionId),
        isNull(sessions.reusedAt),
        eq(users.id, claims.userId),
      ),
    );
  return rows[0];
}

/** Returns the user with this id as `findActor` does, without a session; undefined if there is none. */
export async function findActorById(db: ReadDb, id: number) {
  const rows = await db
    .select(actorColumns)
    .from(users)
    .leftJoin(userMfa, eq(userMfa.userId, users.id))
    .leftJoin(settings, eq(settings.id, 1))
    .where(eq(users.id, id));
  return rows[0];
}

/**
 * Returns the token with this SHA-256 hash, and its owner: a user as `findActor` returns it, or a
 * service account. The token of a deleted owner has neither. Returns undefined if there is none.
 */
export async function findToken(db: ReadDb, hash: string) {
  const role = sql.raw("coalesce(users.role, service_accounts.role)");
  const rows = await db
    .select({
      ...actorColumns,
      hiddenProjects: hiddenFrom(role, isMember),
      token: accessTokens,
      account: serviceAccounts,
    })
    .from(accessTokens)
    .leftJoin(users, eq(users.id, accessTokens.userId))
    .leftJoin(serviceAccounts, eq(serviceAccounts.id, accessTokens.serviceAccountId))
    .leftJoin(userMfa, eq(userMfa.userId, users.id))
    .leftJoin(settings, eq(settings.id, 1))
    .where(eq(accessTokens.hash, hash));
  return rows[0];
}

/** Returns the service account with this id, and the projects that are hidden from it. */
export async function findServiceActor(db: ReadDb, id: number) {
  const rows = await db
    .select({
      account: serviceAccounts,
      hiddenProjects: hiddenFrom(sql.raw("service_accounts.role"), sql.raw("0")),
    })
    .from(serviceAccounts)
    .where(eq(serviceAccounts.id, id));
  return rows[0];
}

export const markTokenUsed = (id: number, at: number) =>
  unaudited(write.update(accessTokens).set({ lastUsedAt: at }).where(eq(accessTokens.id, id)));

/**
 * How many sessions a user has at most; a new one ends the one that was refreshed longest ago. The
 * list of a user's sessions calls one Durable Object for each session.
 */
const MAX_SESSIONS = 50;

/**
 * Returns the sessions of a user, newest first. Expired sessions may be among them, because expiry
 * does not delete their rows.
 */
export const listSessions = (db: ReadDb, userId: number) =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.reusedAt)))
    .orderBy(desc(sessions.createdAt))
    .limit(MAX_SESSIONS);

export const userIdByEmail = (email: string) => sql`(SELECT id FROM users WHERE email = ${email})`;

/** Returns the API key with this SHA-256 hash, and its project; undefined if there is none. */
export async function findKey(db: ReadDb, hash: string) {
  return (await keysWith(db, eq(apiKeys.hash, hash)))[0];
}

/** Returns the API key with this id, and its project; undefined if there is none. */
export async function findKeyById(db: ReadDb, id: number) {
  return (await keysWith(db, eq(apiKeys.id, id)))[0];
}

const keysWith = (db: ReadDb, condition: SQL) =>
  db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      keyType: apiKeys.keyType,
      canWrite: apiKeys.canWrite,
      environmentId: apiKeys.environmentId,
      projectId: environments.projectId,
    })
    .from(apiKeys)
    .innerJoin(environments, eq(environments.id, apiKeys.environmentId))
    .where(condition);

/** Guard: fails if an administrator has a password. */
export const noAdministrator: SQL = sql`NOT EXISTS (SELECT 1 FROM ${users}
  WHERE ${and(eq(users.role, "ADMIN"), isNotNull(users.passwordHash))})`;

export const insertUser = (user: typeof users.$inferInsert) => write.insert(users).values(user);

export const insertSession = (session: typeof sessions.$inferInsert) =>
  write.insert(sessions).values(session);

/**
 * Deletes the sessions of a user that were refreshed longest ago, so that with one more session the
 * user has at most `MAX_SESSIONS`. Sessions that the reuse of a refresh token has ended go first.
 */
export const makeRoomForSession = (userId: number) =>
  sql`DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE user_id = ${userId}
    ORDER BY reused_at IS NOT NULL, refreshed_at DESC, created_at DESC
    LIMIT -1 OFFSET ${MAX_SESSIONS - 1})`;

export const deleteSession = (id: string) => write.delete(sessions).where(eq(sessions.id, id));

/** Guard: fails if the session has ended. */
export const sessionLives = (id: string) =>
  sql`EXISTS (SELECT 1 FROM ${sessions} WHERE ${sessions.id} = ${id} AND ${isNull(sessions.reusedAt)})`;

export const markReused = (id: string, at: number) =>
  write.update(sessions).set({ reusedAt: at }).where(eq(sessions.id, id));

export const markRefreshed = (id: string, at: number) =>
  unaudited(write.update(sessions).set({ refreshedAt: at }).where(eq(sessions.id, id)));

/** The statement that notes when the identity provider confirmed the user of a session. */
export const markConfirmed = (id: string, at: number) =>
  write.update(sessions).set({ confirmedAt: at }).where(eq(sessions.id, id));

/**
 * Returns the user with this id, and when the session began (`startedAt`) and was last confirmed by an
 * identity provider (`confirmedAt`, null if never), both in epoch milliseconds.
 */
export async function findUserInSession(db: ReadDb, id: number, sessionId: string | undefined) {
  const { createdAt: startedAt, confirmedAt } = sessions;
  const rows = await db
    .select({ user: userColumns, startedAt, confirmedAt })
    .from(users)
    .leftJoin(sessions, eq(sessions.id, sql`${sessionId ?? null}`))
    .where(eq(users.id, id));
  return rows[0];
}

export const setSessionProject = (id: string, projectId: number) =>
  write.update(sessions).set({ projectId }).where(eq(sessions.id, id));

/**
 * Guard: fails if the user's password, role or status has changed since the sign-in read them. Such
 * a change ends all sessions of the user, also a session that is being opened.
 */
export const signInStands = ({ id, passwordHash, role, status }: UserRow) =>
  sql`EXISTS (SELECT 1 FROM users WHERE id = ${id} AND password_hash IS ${passwordHash}
    AND role = ${role} AND status = ${status})`;

/** Returns the e-mail addresses of all active administrators. */
export const findAdministratorEmails = (db: ReadDb) =>
  db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.role, "ADMIN"), eq(users.status, "ACTIVE")));

export const touchUser = (id: number, at: number) =>
  write.update(users).set({ lastActiveAt: at }).where(eq(users.id, id));
