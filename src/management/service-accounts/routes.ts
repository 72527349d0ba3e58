import { z } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { etagOf, ifMatchVersions } from "../../http/conditional.ts";
import { body, empty, ifMatch, json, listResponse } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { sliced, sliceQuery } from "../../http/paging.ts";
import { Router } from "../../http/router.ts";
import { idParams, idText } from "../../http/schema.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const serviceAccounts = new Router<ManagementEnv>("Service accounts");

serviceAccounts.endpoint(
  "GET /",
  {
    operationId: "listServiceAccounts",
    summary: "List the service accounts that you may manage",
    ...access("service-account:read"),
    request: { query: z.object({ projectId: idText.optional(), ...sliceQuery }) },
    responses: {
      200: listResponse(schema.serviceAccountResponse, "The service accounts"),
      ...errors(400, 401, 403),
    },
  },
  async (c) => {
    const query = c.req.valid("query");
    const rows = await service.listServiceAccounts(callOfRequest(c), query);
    return c.json(sliced(c, rows, query).map(schema.toServiceAccount), 200);
  },
);

serviceAccounts.endpoint(
  "POST /",
  {
    operationId: "createServiceAccount",
    summary: "Create a service account",
    description:
      "A service account calls the API with tokens (`POST /api/v1/tokens`). It stays when the user " +
      "who has made it is deleted. An administrator of a project creates those of the project.",
    ...access("service-account:write"),
    request: { body: body(schema.createServiceAccountRequest) },
    responses: {
      201: json(schema.serviceAccountResponse, "The service account", "ETag"),
      ...errors(400, 401, 402, 403, 404),
    },
  },
  async (c) => {
    const row = await service.createServiceAccount(callOfRequest(c), c.req.valid("json"));
    return c.json(schema.toServiceAccount(row), 201, { ETag: etagOf(row.version) });
  },
);

serviceAccounts.endpoint(
  "GET /{id}",
  {
    operationId: "getServiceAccount",
    summary: "Read a service account",
    ...access("service-account:read"),
    request: { params: idParams },
    responses: {
      200: json(schema.serviceAccountResponse, "The service account", "ETag"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const row = await service.getServiceAccount(callOfRequest(c), c.req.valid("param"));
    return c.json(schema.toServiceAccount(row), 200, { ETag: etagOf(row.version) });
  },
);

serviceAccounts.endpoint(
  "PUT /{id}",
  {
    operationId: "updateServiceAccount",
    summary: "Change the name or the role of a service account",
    description: "A new role applies to existing tokens at once.",
    ...access("service-account:write"),
    ...ifMatch,
    request: { params: idParams, body: body(schema.updateServiceAccountRequest) },
    responses: {
      200: json(schema.serviceAccountResponse, "The service account", "ETag"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const row = await service.updateServiceAccount(callOfRequest(c), {
      ...c.req.valid("json"),
      ...c.req.valid("param"),
      ifMatch: ifMatchVersions(c),
    });
    return c.json(schema.toServiceAccount(row), 200, { ETag: etagOf(row.version) });
  },
);

serviceAccounts.endpoint(
  "DELETE /{id}",
  {
    operationId: "deleteServiceAccount",
    summary: "Delete a service account, and revoke its tokens",
    ...access("service-account:write"),
    ...ifMatch,
    request: { params: idParams },
    responses: {
      204: empty("The service account has been deleted"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    await service.deleteServiceAccount(callOfRequest(c), {
      ...c.req.valid("param"),
      ifMatch: ifMatchVersions(c),
    });
    return c.body(null, 204);
  },
);
