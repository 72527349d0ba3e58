import { z } from "@hono/zod-openapi";
import { KEY_TYPES } from "@feature-flags/permissions/permissions";
import { id, iso, isoOrNull, name, timestamp } from "../../http/schema.ts";
import type { ApiKeyRow } from "../../model/api-keys/queries.ts";

const keyType = z.enum(KEY_TYPES);

const EXAMPLE = {
  id: 7,
  name: "Backend SDK",
  keyType: "SERVER",
  canWrite: false,
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
    canWrite: z.boolean().openapi({
      description:
        "Whether the key can change the strategies of its environment. Always false for a `FRONTEND` key",
    }),
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
  canWrite: row.canWrite,
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
    canWrite: z
      .boolean()
      .optional()
      .openapi({
        description:
          "Whether the key can change the strategies of its environment. If absent: true for a `SERVER` key. " +
          "A `FRONTEND` key never can. An application that only evaluates flags needs `false`",
      }),
    environmentId: id,
    projectId: id
      .optional()
      .openapi({ description: "Optional. Must be the project of the environment." }),
  })
  .openapi("CreateApiKey", {
    example: { name: "Backend SDK", keyType: "SERVER", canWrite: false, environmentId: 3 },
  });

export const updateApiKeyRequest = z
  .object({
    name,
    canWrite: z.boolean().optional().openapi({ description: "If absent: unchanged" }),
  })
  .openapi("UpdateApiKey", { example: { name: "Backend SDK" } });
