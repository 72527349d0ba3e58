import { z } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { ifMatchVersions, etagOf } from "../../http/conditional.ts";
import { body, empty, ifMatch, json, listResponse } from "../../http/contract.ts";
import { sliced, sliceQuery } from "../../http/paging.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { idParams, idText, searchText } from "../../http/schema.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const apiKeys = new Router<ManagementEnv>("API keys");

apiKeys.endpoint(
  "GET /",
  {
    operationId: "listApiKeys",
    summary: "List API keys",
    ...access("api-key:read"),
    request: {
      query: z.object({
        projectId: idText.optional(),
        environmentId: idText.optional(),
        search: searchText
          .optional()
          .openapi({ description: "Only the API keys whose name contains this text" }),
        ...sliceQuery,
      }),
    },
    responses: {
      200: listResponse(schema.apiKeyResponse, "The API keys, without the keys themselves"),
      ...errors(400, 401, 403),
    },
  },
  async (c) => {
    const query = c.req.valid("query");
    const rows = await service.listApiKeys(callOfRequest(c), query);
    return c.json(sliced(c, rows, query).map(schema.toApiKey), 200);
  },
);

apiKeys.endpoint(
  "POST /",
  {
    operationId: "createApiKey",
    summary: "Create an API key; only this response shows the key",
    ...access("api-key:write"),
    request: { body: body(schema.createApiKeyRequest) },
    responses: {
      201: json(schema.createdApiKeyResponse, "The key"),
      ...errors(400, 401, 402, 403, 404),
    },
  },
  async (c) => {
    const { row, apiKey } = await service.createApiKey(callOfRequest(c), c.req.valid("json"));
    return c.json({ ...schema.toApiKey(row), apiKey }, 201);
  },
);

apiKeys.endpoint(
  "PUT /{id}",
  {
    operationId: "updateApiKey",
    summary: "Rename an API key, or change whether it can write",
    ...access("api-key:write"),
    ...ifMatch,
    request: { params: idParams, body: body(schema.updateApiKeyRequest) },
    responses: {
      200: json(schema.apiKeyResponse, "The key", "ETag"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const { id } = c.req.valid("param");
    const input = { ...c.req.valid("json"), id, ifMatch: ifMatchVersions(c) };
    const row = await service.updateApiKey(callOfRequest(c), input);
    c.header("ETag", etagOf(row.version));
    return c.json(schema.toApiKey(row), 200);
  },
);

apiKeys.endpoint(
  "DELETE /{id}",
  {
    operationId: "deleteApiKey",
    summary: "Revoke an API key",
    description:
      "The call takes 2 seconds. When it returns, every location whose database replica has the " +
      "deletion rejects the key. A location with a lagging replica rejects the key when the replica " +
      "catches up: observed were 0.8 s at the median and 6.1 s at the 99th percentile.",
    ...access("api-key:write"),
    request: { params: idParams },
    responses: { 204: empty("The API key has been revoked"), ...errors(400, 401, 403, 404) },
  },
  async (c) => {
    await service.deleteApiKey(callOfRequest(c), c.req.valid("param"));
    return c.body(null, 204);
  },
);
