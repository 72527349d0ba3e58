import { z } from "@hono/zod-openapi";
import { KEY_TYPES } from "@feature-flags/permissions/permissions";
import { id, iso, isoOrNull, name, timestamp } from "../../http/schema.ts";
import type { ApiKeyRow } from "./queries.ts";

const keyType = z.enum(KEY_TYPES);

const EXAMPLE = {
  id: 7,
  name: "Backend SDK",
  keyType: "SERVER",
  environmentId: 3,
  projectId: 1,
  preview: "YWxs",
  createdAt: "2026-01-02T03:04:05.678Z",
  lastUsedAt: null,
};

export const apiKeyResponse = z
  .object({
    id,
    name: z.string(),
    keyType,
    environmentId: id,
    projectId: id,
    preview: z.string().openapi({ description: "The last four characters of the key" }),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .openapi("ApiKey", { example: EXAMPLE });

/** The response to the creation of an API key. No other response contains the API key itself. */
export const createdApiKeyResponse = z
  .object({ ...apiKeyResponse.shape, apiKey: z.string().length(64) })
  .openapi("CreatedApiKey", {
    example: {
      ...EXAMPLE,
      apiKey: "dGhpcyBpcyBhbiBleGFtcGxlLCBhbmQgdGhlIGtleSBvZiBub2JvZHkgYXQgYWxs",
    },
  });

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

export const createApiKeyRequest = z
  .object({
    name,
    keyType,
    environmentId: id,
    projectId: id
      .optional()
      .openapi({ description: "Optional. Must be the project of the environment." }),
  })
  .openapi("CreateApiKey", {
    example: { name: "Backend SDK", keyType: "SERVER", environmentId: 3 },
  });

export const updateApiKeyRequest = z
  .object({ name })
  .openapi("UpdateApiKey", { example: { name: "Backend SDK" } });
