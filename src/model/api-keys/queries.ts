import { and, asc, eq, sql } from "drizzle-orm";
import { type Actor, tokenOf } from "@feature-flags/permissions/permissions";
import { containsText } from "../../db/contains.ts";
import { type ReadDb, write } from "../../db/database.ts";
import { isListed, type Listed } from "../../db/project-filter.ts";
import { apiKeys, environments } from "../../db/schema/projects.ts";

const columns = {
  id: apiKeys.id,
  name: apiKeys.name,
  keyType: apiKeys.keyType,
  canWrite: apiKeys.canWrite,
  environmentId: apiKeys.environmentId,
  projectId: environments.projectId,
  hash: apiKeys.hash,
  preview: apiKeys.preview,
  version: apiKeys.version,
  createdAt: apiKeys.createdAt,
  lastUsedAt: apiKeys.lastUsedAt,
};

const selectKeys = (db: ReadDb) =>
  db
    .select(columns)
    .from(apiKeys)
    .innerJoin(environments, eq(environments.id, apiKeys.environmentId));

export type ApiKeyRow = Awaited<ReturnType<typeof listApiKeys>>[number];

export async function findApiKey(db: ReadDb, id: number): Promise<ApiKeyRow | undefined> {
  return (await selectKeys(db).where(eq(apiKeys.id, id)))[0];
}

export async function findApiKeyByHash(db: ReadDb, hash: string): Promise<ApiKeyRow | undefined> {
  return (await selectKeys(db).where(eq(apiKeys.hash, hash)))[0];
}

export function listApiKeys(
  db: ReadDb,
  listed: Listed,
  filter: { readonly environmentId?: number | undefined; readonly search?: string | undefined },
) {
  const { environmentId, search } = filter;
  const inEnvironment =
    environmentId === undefined ? undefined : eq(apiKeys.environmentId, environmentId);
  const named = search === undefined ? undefined : containsText(sql`${apiKeys.name}`, search);
  return selectKeys(db)
    .where(and(isListed(environments.projectId, listed), inEnvironment, named))
    .orderBy(asc(apiKeys.id));
}

export const countApiKeys = (environmentId: number) =>
  sql`SELECT count(*) FROM ${apiKeys} WHERE ${apiKeys.environmentId} = ${environmentId}`;

export const apiKeyIdByHash = (hash: string) =>
  sql`(SELECT id FROM ${apiKeys} WHERE ${apiKeys.hash} = ${hash})`;

export const apiKeyExists = (id: number) =>
  sql`EXISTS (SELECT 1 FROM ${apiKeys} WHERE ${apiKeys.id} = ${id})`;

/**
 * Inserts an API key that `maker` makes: a user, or a service account with its token. The users who
 * have made the account and its token are the makers of the key.
 */
export function insertApiKey(
  key: Omit<typeof apiKeys.$inferInsert, "createdBy" | "accountCreatedBy">,
  maker: Actor,
) {
  const isAccount = maker.kind === "service-account";
  const ofToken = sql`(SELECT created_by FROM access_tokens WHERE id = ${tokenOf(maker)?.id ?? null})`;
  const ofAccount = sql`(SELECT created_by FROM service_accounts WHERE id = ${isAccount ? maker.id : null})`;
  return write.insert(apiKeys).values({
    ...key,
    createdBy: maker.kind === "user" ? maker.id : ofToken,
    accountCreatedBy: ofAccount,
  });
}

export const updateApiKey = (id: number, change: { name: string; canWrite: boolean }) =>
  write
    .update(apiKeys)
    .set({ ...change, version: sql`${apiKeys.version} + 1` })
    .where(eq(apiKeys.id, id));

/**
 * The statement that stores the hash of an API key before the key is deleted, so that later uses of
 * the key can be audited.
 */
export const rememberRevoked = (id: number, now: number) =>
  sql`INSERT INTO revoked_keys (hash, key_id, name, project_id, environment_id, revoked_at)
    SELECT k.hash, k.id, k.name, e.project_id, k.environment_id, ${now}
    FROM api_keys k JOIN environments e ON e.id = k.environment_id WHERE k.id = ${id}`;

export const deleteApiKey = (id: number) => write.delete(apiKeys).where(eq(apiKeys.id, id));
