import { z } from "@hono/zod-openapi";
import { KEY_TYPES } from "../../core/permissions.ts";
import { id, iso, isoOrNull, name, timestamp } from "../../http/schema.ts";
import type { ApiKeyRow } from "./queries.ts";

const keyType = z.enum(KEY_TYPES);

export const apiKeyResponse = z
  .object({
    id,
    name: z.string(),
    keyType,
    environmentId: id,
    projectId: id,
    /** The last four characters. */
    preview: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .openapi("ApiKey");

/** The only answer that ever holds the key itself. */
export const createdApiKeyResponse = apiKeyResponse
  .extend({ apiKey: z.string().length(64) })
  .openapi("CreatedApiKey");

export const toApiKey = (row: ApiKeyRow): z.infer<typeof apiKeyResponse> => ({
  id: row.id,
  name: row.name,
  keyType: row.keyType,
  environmentId: row.environmentId,
  projectId: row.projectId,
  preview: row.preview,
  createdAt: iso(row.createdAt),
  lastUsedAt: isoOrNull(row.lastUsedAt),
});

/** `projectId` may be given, and must then be the environment's. */
export const createApiKeyRequest = z.object({
  name,
  keyType,
  environmentId: id,
  projectId: id.optional(),
});

export const updateApiKeyRequest = z.object({ name });
