import { randomToken, sha256 } from "../../core/lib/digest.ts";
import { invalid, notFound } from "../../core/errors/api-error.ts";
import type { KeyType } from "@feature-flags/permissions/permissions";
import { apiKeys } from "../../db/schema/projects.ts";
import { authorized, type Call, type ManagementCall, type ReadContext } from "../context.ts";
import { findEnvironment } from "../environments/queries.ts";
import { optimisticUpdate, unchanged } from "../optimistic-update.ts";
import { listedProject } from "../scope.ts";
import * as queries from "./queries.ts";
import type { ApiKeyRow } from "./queries.ts";

/**
 * The number of random bytes in an API key. 48 bytes are 64 characters of base64url, the length
 * that the API contract defines.
 */
const KEY_BYTES = 48;

const missing = () => notFound("The API key does not exist");
const auditShape = ({ name, keyType, environmentId, preview }: ApiKeyRow) => ({
  name,
  keyType,
  environmentId,
  preview,
});

/**
 * Returns the API keys of the requested project and environment. If no project is requested,
 * returns the API keys of the session's project or of the calling API key's project. If there is no
 * such project, returns those of all projects.
 * Throws: 403 if the caller is an API key of another project.
 */
export function listApiKeys(
  call: Call,
  filter: { readonly projectId?: number | undefined; readonly environmentId?: number | undefined },
): Promise<ApiKeyRow[]> {
  const ctx = authorized(call, "api-key:read");
  const projectId = listedProject(ctx.actor, filter.projectId);
  return queries.listApiKeys(ctx.db, { ...filter, projectId });
}

/**
 * Creates an API key. Returns its row and the API key itself. The database stores only a hash of
 * the API key.
 * Throws: 404 for an unknown environment, 400 if the environment belongs to another project than
 * `projectId`, 402 if the environment's quota of API keys is used up.
 */
export async function createApiKey(
  call: Call & Pick<ManagementCall, "keys">,
  input: {
    readonly name: string;
    readonly keyType: KeyType;
    readonly environmentId: number;
    readonly projectId?: number | undefined;
  },
): Promise<{ readonly row: ApiKeyRow; readonly apiKey: string }> {
  const { name, keyType, environmentId } = input;
  const { db } = authorized(call, "api-key:write");
  const environment = await findEnvironment(db, environmentId);
  if (!environment) throw notFound("The environment does not exist");
  const { projectId } = environment;
  if (input.projectId !== undefined && input.projectId !== projectId)
    throw invalid([{ field: "projectId", message: "must be the project of the environment" }]);
  const ctx = authorized(call, "api-key:write", { projectId, environmentId });
  const apiKey = randomToken(KEY_BYTES);
  const hash = await sha256(apiKey);
  const preview = apiKey.slice(-4);
  await ctx.commit({
    guards: [{ quota: "API_KEYS", count: queries.countApiKeys(environmentId) }],
    statements: [
      queries.insertApiKey({ name, keyType, environmentId, hash, preview, createdAt: ctx.now() }),
    ],
    audit: [
      {
        action: "api-key.created",
        entityType: "api-key",
        entityId: queries.apiKeyIdByHash(hash),
        projectId,
        environmentId,
        after: { name, keyType, environmentId, preview },
      },
    ],
    onForeignKey: notFound("The environment does not exist"),
  });
  const row = await queries.findApiKeyByHash(ctx.db, hash);
  if (!row) throw missing();
  ctx.keys.announce(hash, { id: row.id, keyType, environmentId, projectId });
  return { row, apiKey };
}

/**
 * Renames an API key.
 * Throws: 404 for an unknown id, 412 if `ifMatch` does not contain the API key's version.
 */
export async function renameApiKey(
  call: Call,
  input: {
    readonly id: number;
    readonly name: string;
    readonly ifMatch?: readonly number[] | undefined;
  },
): Promise<ApiKeyRow> {
  const { id, name, ifMatch } = input;
  const ctx = authorized(call, "api-key:write");
  const read = () => findKey(ctx, id);
  await optimisticUpdate({
    ifMatch,
    read,
    write: (row) =>
      authorized(call, "api-key:write", row).commit({
        guards: [unchanged(apiKeys, row)],
        statements: [queries.renameApiKey(id, name)],
        audit: [
          {
            action: "api-key.updated",
            entityType: "api-key",
            entityId: id,
            projectId: row.projectId,
            environmentId: row.environmentId,
            before: { name: row.name },
            after: { name },
          },
        ],
      }),
  });
  return read();
}

/**
 * Deletes an API key. When the promise resolves, every isolate whose database replica shows the
 * deletion rejects the key (docs/decisions.md, 3.3).
 * Throws: 404 for an unknown id.
 */
export async function deleteApiKey(
  call: Call & Pick<ManagementCall, "keys">,
  { id }: { readonly id: number },
): Promise<void> {
  const row = await findKey(authorized(call, "api-key:write"), id);
  await authorized(call, "api-key:write", row).commit({
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

async function findKey(ctx: Pick<ReadContext, "db">, id: number): Promise<ApiKeyRow> {
  const row = await queries.findApiKey(ctx.db, id);
  if (!row) throw missing();
  return row;
}
