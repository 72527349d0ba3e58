import { and, asc, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import { type ReadDb, write } from "../../db/database.ts";
import { environments, projects } from "../../db/schema/projects.ts";
import { accessTokens } from "../../db/schema/tokens.ts";
import { inIds } from "../../db/ids.ts";

export type TokenRow = typeof accessTokens.$inferSelect;

/** Whose tokens are meant: those of a user or those of a service account. */
export type OwnerId = { readonly userId: number } | { readonly serviceAccountId: number };

/** The condition that the token of a row belongs to no OAuth client (see `src/management/oauth`). */
const isPlain = isNull(accessTokens.clientId);

const isOwnedBy = (owner: OwnerId): SQL =>
  "userId" in owner
    ? eq(accessTokens.userId, owner.userId)
    : eq(accessTokens.serviceAccountId, owner.serviceAccountId);

/** Returns the tokens of an owner that were not revoked, in the order of their creation. */
export const listTokens = (db: ReadDb, owner: OwnerId): Promise<TokenRow[]> =>
  db
    .select()
    .from(accessTokens)
    .where(and(isOwnedBy(owner), isPlain, isNull(accessTokens.revokedAt)))
    .orderBy(asc(accessTokens.id));

/** Returns the token with this id; undefined if there is none, or if it was revoked. */
export const findToken = (db: ReadDb, id: number) => findOne(db, eq(accessTokens.id, id));

export const findTokenByHash = (db: ReadDb, hash: string) =>
  findOne(db, eq(accessTokens.hash, hash));

async function findOne(db: ReadDb, condition: SQL): Promise<TokenRow | undefined> {
  const rows = await db
    .select()
    .from(accessTokens)
    .where(and(condition, isPlain, isNull(accessTokens.revokedAt)));
  return rows[0];
}

export const existingProjects = (db: ReadDb, ids: readonly number[]) =>
  db.select({ id: projects.id }).from(projects).where(inIds(projects.id, ids));

/** Returns those of the environments that exist, with their projects. */
export const existingEnvironments = (db: ReadDb, ids: readonly number[]) =>
  db
    .select({ id: environments.id, projectId: environments.projectId })
    .from(environments)
    .where(inIds(environments.id, ids));

/** Selects how many tokens of an owner are neither revoked nor expired. */
export const countTokens = (owner: OwnerId, now: number): SQL =>
  sql`SELECT count(*) FROM ${accessTokens} WHERE ${and(
    isOwnedBy(owner),
    isPlain,
    isNull(accessTokens.revokedAt),
    gt(accessTokens.expiresAt, now),
  )}`;

export const tokenIdByHash = (hash: string): SQL =>
  sql`(SELECT id FROM ${accessTokens} WHERE ${accessTokens.hash} = ${hash})`;

/** Condition: the token exists, and was not revoked. */
export const isUnrevoked = (id: number): SQL =>
  sql`EXISTS (SELECT 1 FROM ${accessTokens}
    WHERE ${accessTokens.id} = ${id} AND ${isNull(accessTokens.revokedAt)})`;

export const insertToken = (token: typeof accessTokens.$inferInsert) =>
  write.insert(accessTokens).values(token);

export const revokeToken = (id: number, now: number) =>
  write.update(accessTokens).set({ revokedAt: now }).where(eq(accessTokens.id, id));

export const revokeTokens = (owner: OwnerId, now: number) =>
  write
    .update(accessTokens)
    .set({ revokedAt: now })
    .where(and(isOwnedBy(owner), isNull(accessTokens.revokedAt)));
