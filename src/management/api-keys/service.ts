import { randomToken, sha256 } from "../../core/lib/digest.ts";
import { invalid, notFound } from "../../core/errors/api-error.ts";
import type { Actor, KeyType } from "@feature-flags/permissions/permissions";
import { apiKeys } from "../../db/schema/projects.ts";
import type { ManagementDeps } from "../deps.ts";
import { findEnvironment } from "../environments/queries.ts";
import { optimisticUpdate, unchanged } from "../optimistic-update.ts";
import { listedProject } from "../scope.ts";
import * as queries from "./queries.ts";
import type { ApiKeyRow } from "./queries.ts";

/** 48 bytes are the contract's 64 characters of base64url. */
const KEY_BYTES = 48;

const missing = () => notFound("The API key");
const auditShape = ({ name, keyType, environmentId, preview }: ApiKeyRow) => ({
  name,
  keyType,
  environmentId,
  preview,
});

/** Errors: 403 for a key of another project. */
export function listApiKeys(
  deps: ManagementDeps,
  actor: Actor,
  filter: { readonly projectId?: number | undefined; readonly environmentId?: number | undefined },
): Promise<ApiKeyRow[]> {
  const projectId = listedProject(actor, filter.projectId);
  return queries.listApiKeys(deps.db, { ...filter, projectId });
}

/** Answers the key itself, for the only time. Errors: 404 for the environment, 402 over the quota. */
export async function createApiKey(
  deps: ManagementDeps,
  actor: Actor,
  input: {
    readonly name: string;
    readonly keyType: KeyType;
    readonly environmentId: number;
    readonly projectId?: number | undefined;
  },
): Promise<{ readonly row: ApiKeyRow; readonly apiKey: string }> {
  const { name, keyType, environmentId } = input;
  const environment = await findEnvironment(deps.db, environmentId);
  if (!environment) throw notFound("The environment");
  const { projectId } = environment;
  if (input.projectId !== undefined && input.projectId !== projectId)
    throw invalid([{ field: "projectId", message: "is not the project of the environment" }]);
  const apiKey = randomToken(KEY_BYTES);
  const hash = await sha256(apiKey);
  const preview = apiKey.slice(-4);
  const count = queries.countApiKeys(environmentId);
  await deps.commit(actor, {
    guards: [{ quota: "API_KEYS", count: count }],
    statements: [
      queries.insertApiKey({ name, keyType, environmentId, hash, preview, createdAt: deps.now() }),
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
    onForeignKey: notFound("The environment"),
  });
  const row = await queries.findApiKeyByHash(deps.db, hash);
  if (!row) throw missing();
  deps.keys.announce(hash, { id: row.id, keyType, environmentId, projectId });
  return { row, apiKey };
}

/** Errors: 404, 412. */
export async function renameApiKey(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
  name: string,
  ifMatch: readonly number[] | undefined,
): Promise<ApiKeyRow> {
  const read = () => getApiKey(deps, id);
  await optimisticUpdate({
    ifMatch,
    read,
    write: (row) =>
      deps.commit(actor, {
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

/** When it returns, no isolate honours the key any longer (decisions 3.3). Errors: 404. */
export async function deleteApiKey(deps: ManagementDeps, actor: Actor, id: number): Promise<void> {
  const row = await getApiKey(deps, id);
  await deps.commit(actor, {
    guards: [{ holds: queries.apiKeyExists(id), error: missing() }],
    statements: [queries.rememberRevoked(id, deps.now()), queries.deleteApiKey(id)],
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
  await deps.keys.retire(row.hash);
}

async function getApiKey(deps: ManagementDeps, id: number): Promise<ApiKeyRow> {
  const row = await queries.findApiKey(deps.db, id);
  if (!row) throw missing();
  return row;
}
