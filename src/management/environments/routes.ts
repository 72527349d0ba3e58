import { access } from "../../http/access.ts";
import { etagOf, ifMatchVersions } from "../../http/conditional.ts";
import { body, empty, ifMatch, json, listResponse } from "../../http/contract.ts";
import { listQuery, sliced } from "../../http/paging.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { idParams } from "../../http/schema.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const environments = new Router<ManagementEnv>("Environments");

environments.endpoint(
  "GET /",
  {
    operationId: "listEnvironments",
    summary: "List environments",
    ...access("environment:read"),
    request: { query: listQuery("`flagsOn` and `apiKeyCount`") },
    responses: {
      200: listResponse(schema.environmentResponse, "The environments"),
      ...errors(400, 401, 403),
    },
  },
  async (c) => {
    const query = c.req.valid("query");
    const rows = await service.listEnvironments(callOfRequest(c), query);
    return c.json(sliced(c, rows, query).map(schema.toEnvironment(c.var.deps.quotas)), 200);
  },
);

environments.endpoint(
  "POST /",
  {
    operationId: "createEnvironment",
    summary: "Create an environment",
    ...access("environment:write"),
    request: { body: body(schema.createEnvironmentRequest) },
    responses: {
      201: json(schema.environmentResponse, "The environment", "ETag"),
      ...errors(400, 401, 402, 403, 404, 409),
    },
  },
  async (c) => {
    const row = await service.createEnvironment(callOfRequest(c), c.req.valid("json"));
    return c.json(schema.toEnvironment(c.var.deps.quotas)(row), 201, { ETag: etagOf(row.version) });
  },
);

environments.endpoint(
  "GET /{id}",
  {
    operationId: "getEnvironment",
    summary: "Read an environment",
    ...access("environment:read"),
    request: { params: idParams },
    responses: {
      200: json(schema.environmentResponse, "The environment", "ETag"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const row = await service.getEnvironment(callOfRequest(c), c.req.valid("param"));
    return c.json(schema.toEnvironment(c.var.deps.quotas)(row), 200, { ETag: etagOf(row.version) });
  },
);

environments.endpoint(
  "PUT /{id}",
  {
    operationId: "updateEnvironment",
    summary: "Update an environment",
    ...access("environment:write"),
    ...ifMatch,
    request: { params: idParams, body: body(schema.updateEnvironmentRequest) },
    responses: {
      200: json(schema.environmentResponse, "The environment", "ETag"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const row = await service.updateEnvironment(callOfRequest(c), {
      ...c.req.valid("json"),
      ...c.req.valid("param"),
      ifMatch: ifMatchVersions(c),
    });
    return c.json(schema.toEnvironment(c.var.deps.quotas)(row), 200, { ETag: etagOf(row.version) });
  },
);

environments.endpoint(
  "DELETE /{id}",
  {
    operationId: "deleteEnvironment",
    summary: "Delete an environment that has no API keys",
    ...access("environment:write"),
    ...ifMatch,
    request: { params: idParams },
    responses: {
      204: empty("The environment has been deleted"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    await service.deleteEnvironment(callOfRequest(c), {
      ...c.req.valid("param"),
      ifMatch: ifMatchVersions(c),
    });
    return c.body(null, 204);
  },
);
