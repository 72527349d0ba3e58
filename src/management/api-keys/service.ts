import { inArray } from "drizzle-orm";
import { randomToken, sha256 } from "../../core/lib/digest.ts";
import { invalid, notFound } from "../../core/errors/api-error.ts";
import type { KeyType } from "@feature-flags/permissions/permissions";
import { apiKeys } from "../../db/schema/projects.ts";
import { type Call, type Reading, reads, type RequestCall, writes } from "../../access/call.ts";
import { environmentsOf, findEnvironment } from "../../model/environments/queries.ts";
import { expectAllFit } from "../../db/list-bytes.ts";
import { optimisticUpdate, unchanged } from "../../model/optimistic-update.ts";
import { inScope, listedProjects } from "../../access/scope.ts";
import * as queries from "../../model/api-keys/queries.ts";
import type { ApiKeyRow } from "../../model/api-keys/queries.ts";

/**
 * The number of random bytes in an API key. 48 bytes are 64 characters of base64url, the length
 * that the API contract defines.
 */
const KEY_BYTES = 48;

const missing = () => notFound("The API key does not exist");
const auditShape = ({
  name,
  keyType,
  canWrite,
  environmentId,
  preview,
}: Omit<typeof apiKeys.$inferInsert, "hash" | "createdBy" | "createdAt">) => ({
  name,
  keyType,
  canWrite,
  environmentId,
  preview,
});

/**
 * Returns whether a key may write: the wish of the caller, by default what `stored` says. Throws: 400
 * for a FRONTEND key that may write.
 */
function writable(keyType: KeyType, wish: boolean | undefined, stored: boolean): boolean {
  if (keyType === "SERVER") return wish ?? stored;
  if (wish === true)
    throw invalid([{ field: "canWrite", message: "must be false for a FRONTEND key" }]);
  return false;
}

/**
 * Returns the API keys of the requested project and environment. If no project is requested, returns the API
 * keys of the session's project or of the calling API key's project. If there is no such project, returns
 * those of all projects. Throws: 403 if the caller is an API key of another project, 400 if the keys of all
 * projects are too many.
 */
export async function listApiKeys(
  call: Call,
  filter: {
    readonly projectId?: number | undefined;
    readonly environmentId?: number | undefined;
    readonly search?: string | undefined;
  },
): Promise<ApiKeyRow[]> {
  const ctx = reads(call, "api-key:read");
  const listed = listedProjects(ctx.actor, filter.projectId);
  if (listed.projectId === undefined && filter.environmentId === undefined)
    await expectAllFit(ctx.db, apiKeys, {
      texts: [apiKeys.name],
      where: inArray(apiKeys.environmentId, environmentsOf(ctx.db, listed)),
    });
  return queries.listApiKeys(ctx.db, listed, filter);
}

/**
 * Creates an API key. Returns its row and the API key itself. The database stores only a hash of
 * the API key.
 * Throws: 404 for an unknown environment, 400 if the environment belongs to another project than
 * `projectId`, and for a FRONTEND key with `canWrite`, 402 if the environment's quota of API keys is
 * used up.
 */
export async function createApiKey(
  call: Call & Pick<RequestCall, "keys">,
  input: {
    readonly name: string;
    readonly keyType: KeyType;
    readonly canWrite?: boolean | undefined;
    readonly environmentId: number;
    readonly projectId?: number | undefined;
  },
): Promise<{ readonly row: ApiKeyRow; readonly apiKey: string }> {
  const { name, keyType, environmentId } = input;
  const canWrite = writable(keyType, input.canWrite, true);
  const read = reads(call, "api-key:write");
  const environment = await findEnvironment(read.db, environmentId);
  const missingEnvironment = notFound("The environment does not exist");
  const { projectId } = inScope(read, environment, missingEnvironment);
  if (input.projectId !== undefined && input.projectId !== projectId)
    throw invalid([{ field: "projectId", message: "must be the project of the environment" }]);
  const ctx = writes(call, "api-key:write", { projectId, environmentId });
  const apiKey = randomToken(KEY_BYTES);
  const hash = await sha256(apiKey);
  const key = { name, keyType, canWrite, environmentId, preview: apiKey.slice(-4) };
  await ctx.commit({
    guards: [{ quota: "API_KEYS", count: queries.countApiKeys(environmentId) }],
    statements: [queries.insertApiKey({ ...key, hash, createdAt: ctx.now() }, ctx.actor)],
    audit: [
      {
        action: "api-key.created",
        entityType: "api-key",
        entityId: queries.apiKeyIdByHash(hash),
        projectId,
        environmentId,
        after: auditShape(key),
      },
    ],
    onForeignKey: missingEnvironment,
  });
  const row = await queries.findApiKeyByHash(ctx.db, hash);
  if (!row) throw missing();
  ctx.keys.announce(hash, { id: row.id, keyType, environmentId, projectId });
  return { row, apiKey };
}

/**
 * Renames an API key, and changes whether it may write if `canWrite` is given. Throws: 404 for an unknown id,
 * 400 for a FRONTEND key that may write, 412 if `ifMatch` does not contain the API key's version.
 */
export async function updateApiKey(
  call: Call,
  input: {
    readonly id: number;
    readonly name: string;
    readonly canWrite?: boolean | undefined;
    readonly ifMatch?: readonly number[] | undefined;
  },
): Promise<ApiKeyRow> {
  const { id, name, ifMatch } = input;
  const ctx = reads(call, "api-key:write");
  const read = () => findKey(ctx, id);
  await optimisticUpdate({
    ifMatch,
    read,
    write: (row) => {
      const content = { name, canWrite: writable(row.keyType, input.canWrite, row.canWrite) };
      return writes(call, "api-key:write", row).commit({
        guards: [unchanged(apiKeys, row)],
        statements: [queries.updateApiKey(id, content)],
        audit: [
          {
            action: "api-key.updated",
            entityType: "api-key",
            entityId: id,
            projectId: row.projectId,
            environmentId: row.environmentId,
            before: { name: row.name, canWrite: row.canWrite },
            after: content,
          },
        ],
      });
    },
  });
  return read();
}

/**
 * Deletes an API key. When the promise resolves, every isolate whose database replica shows the deletion
 * rejects the key (docs/build/decisions.md, 3.3). Throws: 404 for an unknown id.
 */
export async function deleteApiKey(
  call: Call & Pick<RequestCall, "keys">,
  { id }: { readonly id: number },
): Promise<void> {
  const row = await findKey(reads(call, "api-key:write"), id);
  await writes(call, "api-key:write", row).commit({
    guards: [{ holds: queries.apiKeyExists(id), error: missing() }],
    statements: [queries.rememberRevoked(id, call.now()), queries.deleteApiKey(id)],
    audit: [
      {
        action: "api-key.deleted",
        entityType: "api-key",
        entityId: id,
        projectId: row.projectId,
        environmentId: row.environmentId,
        before: auditShape(row),
      },
    ],
  });
  await call.keys.retire(row.hash, row);
}

const findKey = async (ctx: Reading, id: number): Promise<ApiKeyRow> =>
  inScope(ctx, await queries.findApiKey(ctx.db, id), missing());
