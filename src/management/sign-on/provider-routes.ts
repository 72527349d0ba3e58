import { z } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { etagOf, ifMatchVersions } from "../../http/conditional.ts";
import { body, empty, ifMatch, json, listResponse } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { sliced, sliceQuery } from "../../http/paging.ts";
import { Router } from "../../http/router.ts";
import { idParams } from "../../http/schema.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./provider-schema.ts";
import * as service from "./provider-service.ts";

/** The routes with which administrators manage identity providers. */
export const providers = new Router<ManagementEnv>("Settings");

providers.endpoint(
  "GET /",
  {
    operationId: "listIdentityProviders",
    summary: "List identity providers",
    ...access("settings:read"),
    request: { query: z.object(sliceQuery) },
    responses: {
      200: listResponse(schema.providerResponse, "The providers, without their secrets"),
      ...errors(400, 401, 403),
    },
  },
  async (c) => {
    const found = await service.listProviders(callOfRequest(c));
    return c.json(sliced(c, found, c.req.valid("query")).map(schema.toProvider), 200);
  },
);

providers.endpoint(
  "POST /",
  {
    operationId: "createIdentityProvider",
    summary: "Add an identity provider",
    ...access("settings:write"),
    request: { body: body(schema.createProviderRequest) },
    responses: {
      201: json(schema.providerResponse, "The provider", "ETag"),
      ...errors(400, 401, 403, 409),
    },
  },
  async (c) => {
    const created = await service.createProvider(callOfRequest(c), c.req.valid("json"));
    const shown = schema.toProvider(created);
    c.header("ETag", etagOf(shown.version));
    return c.json(shown, 201);
  },
);

providers.endpoint(
  "GET /{id}",
  {
    operationId: "getIdentityProvider",
    summary: "Read an identity provider",
    ...access("settings:read"),
    request: { params: idParams },
    responses: {
      200: json(schema.providerResponse, "The provider", "ETag"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const shown = schema.toProvider(
      await service.getProvider(callOfRequest(c), c.req.valid("param")),
    );
    c.header("ETag", etagOf(shown.version));
    return c.json(shown, 200);
  },
);

providers.endpoint(
  "PUT /{id}",
  {
    operationId: "updateIdentityProvider",
    summary: "Change an identity provider; a new issuer ends the sessions of the earlier one",
    ...access("settings:write"),
    ...ifMatch,
    request: { params: idParams, body: body(schema.updateProviderRequest) },
    responses: {
      200: json(schema.providerResponse, "The provider", "ETag"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const { id } = c.req.valid("param");
    const input = { ...c.req.valid("json"), id, ifMatch: ifMatchVersions(c) };
    const shown = schema.toProvider(await service.updateProvider(callOfRequest(c), input));
    c.header("ETag", etagOf(shown.version));
    return c.json(shown, 200);
  },
);

providers.endpoint(
  "DELETE /{id}",
  {
    operationId: "deleteIdentityProvider",
    summary: "Delete an identity provider, and end the sessions that began there",
    ...access("settings:write"),
    ...ifMatch,
    request: { params: idParams },
    responses: {
      204: empty("The provider has been deleted"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const { id } = c.req.valid("param");
    await service.deleteProvider(callOfRequest(c), { id, ifMatch: ifMatchVersions(c) });
    return c.body(null, 204);
  },
);
