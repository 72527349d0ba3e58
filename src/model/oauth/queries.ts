import { and, asc, eq, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { isDocumentUrl } from "../../core/oauth/client-id.ts";
import { type ReadDb, write } from "../../db/database.ts";
import { oauthClients, oauthCodes } from "../../db/schema/oauth.ts";
import { users } from "../../db/schema/people.ts";
import { accessTokens } from "../../db/schema/tokens.ts";
import { type Unaudited, unaudited } from "../../db/unaudited.ts";
import { userColumns, type UserRow } from "../auth/queries.ts";
import { revokeToken, type TokenRow } from "../tokens/queries.ts";

export type ClientRow = typeof oauthClients.$inferSelect;
export type CodeRow = typeof oauthCodes.$inferSelect;

/** The token that a user has given to a client. */
export type AgentRow = TokenRow & { readonly clientId: string; readonly refreshUntil: number };

export async function findClient(db: ReadDb, clientId: string): Promise<ClientRow | undefined> {
  return (await db.select().from(oauthClients).where(eq(oauthClients.clientId, clientId)))[0];
}

/** Returns the registered clients in the order of their registration. */
export const listClients = (db: ReadDb): Promise<ClientRow[]> =>
  db.select().from(oauthClients).orderBy(asc(oauthClients.id));

/** Returns the registered client with this id of its row; undefined if there is none. */
export async function findClientById(db: ReadDb, id: number): Promise<ClientRow | undefined> {
  return (await db.select().from(oauthClients).where(eq(oauthClients.id, id)))[0];
}

export const countClients: SQL = sql`SELECT count(*) FROM ${oauthClients}`;

export const clientIdOf = (clientId: string): SQL =>
  sql`(SELECT id FROM ${oauthClients} WHERE ${oauthClients.clientId} = ${clientId})`;

/** Guard: fails if a client was deleted. A client with a metadata document is in no table. */
export const isStillClient = (clientId: string): SQL =>
  isDocumentUrl(clientId) ? sql`1` : sql`${clientIdOf(clientId)} IS NOT NULL`;

/** Guard: fails if the client was deleted. */
export const clientExists = (id: number): SQL =>
  sql`EXISTS (SELECT 1 FROM ${oauthClients} WHERE ${oauthClients.id} = ${id})`;

export const insertClient = (client: typeof oauthClients.$inferInsert) =>
  write.insert(oauthClients).values(client);

/** The statements that delete a registered client, and end its grants and its codes. */
export const deleteClient = ({ id, clientId }: ClientRow, now: number) => [
  write.delete(oauthClients).where(eq(oauthClients.id, id)),
  write.delete(oauthCodes).where(eq(oauthCodes.clientId, clientId)),
  write
    .update(accessTokens)
    .set({ revokedAt: now })
    .where(and(eq(accessTokens.clientId, clientId), isNull(accessTokens.revokedAt))),
];

/** Returns a code with its user, whether the code is valid or not; undefined if there is none. */
export async function findCode(db: ReadDb, hash: string) {
  const rows = await db
    .select({ code: oauthCodes, user: userColumns })
    .from(oauthCodes)
    .innerJoin(users, eq(users.id, oauthCodes.userId))
    .where(eq(oauthCodes.hash, hash));
  return rows[0];
}

export const insertCode = (code: typeof oauthCodes.$inferInsert) =>
  write.insert(oauthCodes).values(code);

/** Selects how many codes of a user are neither used nor expired. */
export const countOpenCodes = (userId: number, now: number): SQL =>
  sql`SELECT count(*) FROM ${oauthCodes} WHERE ${and(
    eq(oauthCodes.userId, userId),
    gt(oauthCodes.expiresAt, now),
    isNull(oauthCodes.familyId),
  )}`;

/** Guard: fails if the code was used, or deleted with its client. */
export const codeIsOpen = (hash: string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${oauthCodes} WHERE ${oauthCodes.hash} = ${hash}
    AND ${isNull(oauthCodes.familyId)})`;

export const useCode = (hash: string, familyId: string) =>
  write.update(oauthCodes).set({ familyId }).where(eq(oauthCodes.hash, hash));

const isLive = (now: number) =>
  and(
    isNotNull(accessTokens.clientId),
    isNull(accessTokens.revokedAt),
    gt(accessTokens.refreshUntil, now),
  );

/** Returns the grants of a user that have neither ended nor expired, in the order of their creation. */
export const listAgents = (db: ReadDb, userId: number, now: number) =>
  db
    .select()
    .from(accessTokens)
    .where(and(eq(accessTokens.userId, userId), isLive(now)))
    .orderBy(asc(accessTokens.id)) as Promise<AgentRow[]>;

/** Selects how many grants of a user have neither ended nor expired. */
export const countAgents = (userId: number, now: number): SQL =>
  sql`SELECT count(*) FROM ${accessTokens} WHERE ${and(eq(accessTokens.userId, userId), isLive(now))}`;

/** Returns the grant with this id; undefined if there is none, or if it was revoked. */
export async function findAgent(db: ReadDb, id: number): Promise<AgentRow | undefined> {
  const rows = (await db
    .select()
    .from(accessTokens)
    .where(
      and(
        eq(accessTokens.id, id),
        isNotNull(accessTokens.clientId),
        isNull(accessTokens.revokedAt),
      ),
    )) as AgentRow[];
  return rows[0];
}

export interface Grant {
  readonly agent: AgentRow;
  readonly user: UserRow;
}

/** Returns the grant with a refresh family; undefined if there is none, or if it was revoked. */
export const findGrantByFamily = (db: ReadDb, familyId: string): Promise<Grant | undefined> =>
  grantWhere(db, eq(accessTokens.familyId, familyId));

/**
 * Returns the grant with an access token, by the hash of the token; undefined if there is none, or if it
 * was revoked.
 */
export const findGrantByHash = (db: ReadDb, hash: string): Promise<Grant | undefined> =>
  grantWhere(db, eq(accessTokens.hash, hash));

async function grantWhere(db: ReadDb, condition: SQL): Promise<Grant | undefined> {
  const rows = (await db
    .select({ agent: accessTokens, user: userColumns })
    .from(accessTokens)
    .innerJoin(users, eq(users.id, accessTokens.userId))
    .where(
      and(condition, isNotNull(accessTokens.clientId), isNull(accessTokens.revokedAt)),
    )) as Grant[];
  return rows[0];
}

/** Guard: fails if the user is not active. */
export const isActive = (userId: number): SQL =>
  sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND status = 'ACTIVE')`;

type TokenColumns = Pick<AgentRow, "hash" | "preview" | "expiresAt" | "refreshUntil">;

/**
 * The statement that replaces the access token of a grant. Returns its id, or no row if the grant was
 * revoked.
 */
export const replaceToken = (
  id: number,
  { hash, preview, expiresAt, refreshUntil }: TokenColumns,
): Unaudited =>
  unaudited(sql`UPDATE ${accessTokens} SET hash = ${hash}, preview = ${preview}, expires_at = ${expiresAt},
      refresh_until = ${refreshUntil}
    WHERE id = ${id} AND revoked_at IS NULL RETURNING id`);

/** The statement that undoes `replaceToken`, unless a later refresh has replaced the token again. */
export const restoreToken = (
  { id, hash, preview, expiresAt, refreshUntil }: TokenColumns & Pick<AgentRow, "id">,
  replacedBy: string,
): Unaudited =>
  unaudited(sql`UPDATE ${accessTokens} SET hash = ${hash}, preview = ${preview}, expires_at = ${expiresAt},
      refresh_until = ${refreshUntil}
    WHERE id = ${id} AND hash = ${replacedBy} AND revoked_at IS NULL`);

/** The statement that revokes a token whose refresh token has expired. */
export const endExpired = (id: number, now: number): Unaudited => unaudited(revokeToken(id, now));
