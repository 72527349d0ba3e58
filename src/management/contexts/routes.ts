import { access } from "../../http/access.ts";
import { etagOf, ifMatchVersions } from "../../http/conditional.ts";
import { body, empty, ifMatch, json, listResponse } from "../../http/contract.ts";
import { listQuery, sliced } from "../../http/paging.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const contexts = new Router<ManagementEnv>("Contexts");

contexts.endpoint(
  "GET /",
  {
    operationId: "listContexts",
    summary: "List context definitions",
    ...access("context:read"),
    request: { query: listQuery("`valueCount`") },
    responses: {
      200: listResponse(schema.contextResponse, "The definitions"),
      ...errors(400, 401, 403),
    },
  },
  async (c) => {
    const query = c.req.valid("query");
    const rows = await service.listContexts(callOfRequest(c), query);
    return c.json(sliced(c, rows, query).map(schema.toContext), 200);
  },
);

contexts.endpoint(
  "POST /",
  {
    operationId: "createContext",
    summary: "Create a context definition",
    ...access("context:write"),
    request: { body: body(schema.createContextRequest) },
    responses: {
      201: json(schema.contextResponse, "The definition", "ETag"),
      ...errors(400, 401, 402, 403, 404, 409),
    },
  },
  async (c) => {
    const row = await service.createContext(callOfRequest(c), c.req.valid("json"));
    return c.json(schema.toContext(row), 201, { ETag: etagOf(row.version) });
  },
);

contexts.endpoint(
  "GET /{definitionId}",
  {
    operationId: "getContext",
    summary: "Read a context definition",
    ...access("context:read"),
    request: { params: schema.definitionParams },
    responses: {
      200: json(schema.contextResponse, "The definition", "ETag"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const row = await service.getContext(callOfRequest(c), {
      id: c.req.valid("param").definitionId,
    });
    return c.json(schema.toContext(row), 200, { ETag: etagOf(row.version) });
  },
);

contexts.endpoint(
  "PUT /{definitionId}",
  {
    operationId: "updateContext",
    summary: "Change the name or the type of a context definition",
    ...access("context:write"),
    ...ifMatch,
    request: { params: schema.definitionParams, body: body(schema.updateContextRequest) },
    responses: {
      200: json(schema.contextResponse, "The definition", "ETag"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const row = await service.updateContext(callOfRequest(c), {
      ...c.req.valid("json"),
      id: c.req.valid("param").definitionId,
      ifMatch: ifMatchVersions(c),
    });
    return c.json(schema.toContext(row), 200, { ETag: etagOf(row.version) });
  },
);

contexts.endpoint(
  "DELETE /{definitionId}",
  {
    operationId: "deleteContext",
    summary: "Delete a context definition and its values",
    ...access("context:write"),
    request: { params: schema.definitionParams },
    responses: {
      204: empty("The context definition has been deleted"),
      ...errors(400, 401, 403, 404, 409),
    },
  },
  async (c) => {
    await service.deleteContext(callOfRequest(c), { id: c.req.valid("param").definitionId });
    return c.body(null, 204);
  },
);
