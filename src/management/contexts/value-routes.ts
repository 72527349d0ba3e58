import { createRoute, z } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { ifMatchVersions, etagOf } from "../../http/conditional.ts";
import { body, empty, ifMatch, json, jsonList } from "../../http/contract.ts";
import { sliced, sliceQuery } from "../../http/paging.ts";
import { errors } from "../../http/error-contract.ts";
import { createRoom } from "../../http/router.ts";
import type { ManagementEnv } from "../deps.ts";
import * as schema from "./schema.ts";
import * as service from "./value-service.ts";

/** Mounted before the definitions, so that `/values/…` is never taken for one of them. */
export const contextValues = createRoom<ManagementEnv>();
const tags = ["Contexts"];

contextValues.openapi(
  createRoute({
    method: "get",
    path: "/values/{valueId}",
    operationId: "getContextValue",
    summary: "Read a context value",
    tags,
    ...access("context:read"),
    request: { params: schema.valueParams },
    responses: {
      200: json(schema.valueResponse, "The value", "ETag"),
      ...errors(400, 401, 403, 404),
    },
  }),
  async (c) => {
    const { valueId } = c.req.valid("param");
    const row = await service.getContextValue(c.var.deps, c.var.actor, valueId);
    c.header("ETag", etagOf(row.version));
    return c.json(schema.toValue(row), 200);
  },
);

contextValues.openapi(
  createRoute({
    method: "put",
    path: "/values/{valueId}",
    operationId: "updateContextValue",
    summary: "Change a context value",
    tags,
    ...access("context:write"),
    ...ifMatch,
    request: { params: schema.valueParams, body: body(schema.updateValueRequest) },
    responses: {
      200: json(schema.valueResponse, "The value", "ETag"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  }),
  async (c) => {
    const { valueId } = c.req.valid("param");
    const input = c.req.valid("json");
    const { deps, actor } = c.var;
    const row = await service.updateContextValue(deps, actor, valueId, input, ifMatchVersions(c));
    c.header("ETag", etagOf(row.version));
    return c.json(schema.toValue(row), 200);
  },
);

contextValues.openapi(
  createRoute({
    method: "delete",
    path: "/values/{valueId}",
    operationId: "deleteContextValue",
    summary: "Delete a context value",
    tags,
    ...access("context:write"),
    request: { params: schema.valueParams },
    responses: { 204: empty("It is gone"), ...errors(400, 401, 403, 404, 409) },
  }),
  async (c) => {
    await service.deleteContextValue(c.var.deps, c.var.actor, c.req.valid("param").valueId);
    return c.body(null, 204);
  },
);

contextValues.openapi(
  createRoute({
    method: "get",
    path: "/{definitionId}/values",
    operationId: "listContextValues",
    summary: "List the values of a context",
    tags,
    ...access("context:read"),
    request: { params: schema.definitionParams, query: z.object(sliceQuery) },
    responses: {
      200: jsonList(schema.valueResponse, "The values", "ETag"),
      ...errors(400, 401, 403, 404),
    },
  }),
  async (c) => {
    const { definitionId } = c.req.valid("param");
    const list = await service.listContextValues(c.var.deps, c.var.actor, definitionId);
    c.header("ETag", etagOf(list.definition.version));
    return c.json(sliced(c, list.values, c.req.valid("query")).map(schema.toValue), 200);
  },
);

contextValues.openapi(
  createRoute({
    method: "post",
    path: "/{definitionId}/values",
    operationId: "createContextValue",
    summary: "Add a value to a context",
    tags,
    ...access("context:write"),
    request: { params: schema.definitionParams, body: body(schema.createValueRequest) },
    responses: {
      201: json(schema.valueResponse, "The value", "ETag"),
      ...errors(400, 401, 402, 403, 404, 409),
    },
  }),
  async (c) => {
    const { definitionId } = c.req.valid("param");
    const input = c.req.valid("json");
    const row = await service.createContextValue(c.var.deps, c.var.actor, definitionId, input);
    c.header("ETag", etagOf(row.version));
    return c.json(schema.toValue(row), 201);
  },
);

contextValues.openapi(
  createRoute({
    method: "put",
    path: "/{definitionId}/values",
    operationId: "replaceContextValues",
    summary: "Replace all values of a context; those that stay keep their ids",
    tags,
    ...access("context:write"),
    ...ifMatch,
    request: { params: schema.definitionParams, body: body(schema.replaceValuesRequest) },
    responses: {
      200: jsonList(schema.valueResponse, "The values", "ETag"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  }),
  async (c) => {
    const { definitionId } = c.req.valid("param");
    const input = c.req.valid("json");
    const { deps, actor } = c.var;
    const demanded = ifMatchVersions(c);
    const list = await service.replaceContextValues(deps, actor, definitionId, input, demanded);
    c.header("ETag", etagOf(list.definition.version));
    c.header("X-Total-Count", String(list.values.length));
    return c.json(list.values.map(schema.toValue), 200);
  },
);
