import { and, desc, eq, isNotNull, sql, type SQL } from "drizzle-orm";
import { type ReadDb, write } from "../../db/database.ts";
import { sessions, settings, userMfa, users } from "../../db/schema/people.ts";
import { apiKeys, environments } from "../../db/schema/projects.ts";

export type UserRow = typeof users.$inferSelect;

export async function findUser(db: ReadDb, id: number): Promise<UserRow | undefined> {
  return (await db.select().from(users).where(eq(users.id, id)))[0];
}

export async function findUserByEmail(db: ReadDb, email: string): Promise<UserRow | undefined> {
  return (await db.select().from(users).where(eq(users.email, email)))[0];
}

export async function findSessionUser(db: ReadDb, familyId: string): Promise<UserRow | undefined> {
  const rows = await db
    .select({ user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.id, familyId));
  return rows[0]?.user;
}

/**
 * Returns the user, whether the user has a second factor that is turned on, and the settings that
 * require one (null before settings are saved). Returns undefined for an unknown id.
 */
export async function findActor(db: ReadDb, id: number) {
  const rows = await db
    .select({
      user: users,
      hasMfa: sql<boolean>`${userMfa.confirmedAt} IS NOT NULL`.mapWith(Boolean),
      requireMfa: settings.requireMfa,
      requireMfaSince: settings.requireMfaSince,
    })
    .from(users)
    .leftJoin(userMfa, eq(userMfa.userId, users.id))
    .leftJoin(settings, eq(settings.id, 1))
    .where(eq(users.id, id));
  return rows[0];
}

export async function hasMfa(db: ReadDb, userId: number): Promise<boolean> {
  const on = and(eq(userMfa.userId, userId), isNotNull(userMfa.confirmedAt));
  return (await db.select({ id: userMfa.userId }).from(userMfa).where(on)).length > 0;
}

/**
 * The maximum number of sessions in the list of a user's sessions. The list calls one Durable
 * Object for each session.
 */
const MAX_LISTED_SESSIONS = 50;

/**
 * Returns the newest 50 sessions of a user. Expired sessions may be among them, because expiry does
 * not delete their rows.
 */
export const listSessions = (db: ReadDb, userId: number) =>
  db
    .select()
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.createdAt))
    .limit(MAX_LISTED_SESSIONS);

export const userIdByEmail = (email: string) => sql`(SELECT id FROM users WHERE email = ${email})`;

/** Returns the API key with this SHA-256 hash, and its project; undefined if there is none. */
export async function findKey(db: ReadDb, hash: string) {
  const rows = await db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      keyType: apiKeys.keyType,
      environmentId: apiKeys.environmentId,
      projectId: environments.projectId,
    })
    .from(apiKeys)
    .innerJoin(environments, eq(environments.id, apiKeys.environmentId))
    .where(eq(apiKeys.hash, hash));
  return rows[0];
}

/** Guard: passes while no administrator has a password. */
export const noAdministrator: SQL = sql`NOT EXISTS (SELECT 1 FROM ${users}
  WHERE ${and(eq(users.role, "ADMIN"), isNotNull(users.passwordHash))})`;

export const insertUser = (user: typeof users.$inferInsert) => write.insert(users).values(user);

export const insertSession = (session: typeof sessions.$inferInsert) =>
  write.insert(sessions).values(session);

export const deleteSession = (familyId: string) =>
  write.delete(sessions).where(eq(sessions.id, familyId));

export const touchUser = (id: number, at: number) =>
  write.update(users).set({ lastActiveAt: at }).where(eq(users.id, id));
