import { z } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { etagOf, ifMatchVersions } from "../../http/conditional.ts";
import { body, empty, ifMatch, json, listResponse } from "../../http/contract.ts";
import { sliced, sliceQuery } from "../../http/paging.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./schema.ts";
import * as service from "./value-service.ts";

/**
 * The routes of context values. They must be mounted before the routes of context definitions,
 * whose path `/{definitionId}` would match `/values`.
 */
export const contextValues = new Router<ManagementEnv>("Contexts");

contextValues.endpoint(
  "GET /values/{valueId}",
  {
    operationId: "getContextValue",
    summary: "Read a context value",
    ...access("context:read"),
    request: { params: schema.valueParams },
    responses: {
      200: json(schema.valueResponse, "The value", "ETag"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const row = await service.getContextValue(callOfRequest(c), {
      id: c.req.valid("param").valueId,
    });
    return c.json(schema.toValue(row), 200, { ETag: etagOf(row.version) });
  },
);

contextValues.endpoint(
  "PUT /values/{valueId}",
  {
    operationId: "updateContextValue",
    summary: "Change a context value",
    ...access("context:write"),
    ...ifMatch,
    request: { params: schema.valueParams, body: body(schema.updateValueRequest) },
    responses: {
      200: json(schema.valueResponse, "The value", "ETag"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const row = await service.updateContextValue(callOfRequest(c), {
      ...c.req.valid("json"),
      id: c.req.valid("param").valueId,
      ifMatch: ifMatchVersions(c),
    });
    return c.json(schema.toValue(row), 200, { ETag: etagOf(row.version) });
  },
);

contextValues.endpoint(
  "DELETE /values/{valueId}",
  {
    operationId: "deleteContextValue",
    summary: "Delete a context value",
    ...access("context:write"),
    request: { params: schema.valueParams },
    responses: { 204: empty("The value has been deleted"), ...errors(400, 401, 403, 404, 409) },
  },
  async (c) => {
    await service.deleteContextValue(callOfRequest(c), { id: c.req.valid("param").valueId });
    return c.body(null, 204);
  },
);

contextValues.endpoint(
  "GET /{definitionId}/values",
  {
    operationId: "listContextValues",
    summary: "List the values of a context",
    ...access("context:read"),
    request: { params: schema.definitionParams, query: z.object(sliceQuery) },
    responses: {
      200: listResponse(schema.valueResponse, "The values", "ETag"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const list = await service.listContextValues(callOfRequest(c), c.req.valid("param"));
    c.header("ETag", etagOf(list.definition.version));
    return c.json(sliced(c, list.values, c.req.valid("query")).map(schema.toValue), 200);
  },
);

contextValues.endpoint(
  "POST /{definitionId}/values",
  {
    operationId: "createContextValue",
    summary: "Add a value to a context",
    ...access("context:write"),
    request: { params: schema.definitionParams, body: body(schema.createValueRequest) },
    responses: {
      201: json(schema.valueResponse, "The value", "ETag"),
      ...errors(400, 401, 402, 403, 404, 409),
    },
  },
  async (c) => {
    const row = await service.createContextValue(callOfRequest(c), {
      ...c.req.valid("json"),
      ...c.req.valid("param"),
    });
    return c.json(schema.toValue(row), 201, { ETag: etagOf(row.version) });
  },
);

contextValues.endpoint(
  "PUT /{definitionId}/values",
  {
    operationId: "replaceContextValues",
    summary: "Replace all values of a context; a value that exists already keeps its id",
    ...access("context:write"),
    ...ifMatch,
    request: { params: schema.definitionParams, body: body(schema.replaceValuesRequest) },
    responses: {
      200: listResponse(schema.valueResponse, "The values", "ETag"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const list = await service.replaceContextValues(callOfRequest(c), {
      ...c.req.valid("param"),
      values: c.req.valid("json"),
      ifMatch: ifMatchVersions(c),
    });
    c.header("ETag", etagOf(list.definition.version));
    c.header("X-Total-Count", String(list.values.length));
    return c.json(list.values.map(schema.toValue), 200);
  },
);
