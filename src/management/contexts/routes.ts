import { createRoute, z } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { ifMatchVersions, etagOf } from "../../http/conditional.ts";
import { body, empty, ifMatch, json, jsonList } from "../../http/contract.ts";
import { sliced, sliceQuery } from "../../http/paging.ts";
import { errors } from "../../http/error-contract.ts";
import { createRoom } from "../../http/router.ts";
import { idText } from "../../http/schema.ts";
import type { ManagementEnv } from "../deps.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const contexts = createRoom<ManagementEnv>();
const tags = ["Contexts"];

contexts.openapi(
  createRoute({
    method: "get",
    path: "/",
    operationId: "listContexts",
    summary: "List context definitions",
    tags,
    ...access("context:read"),
    request: { query: z.object({ projectId: idText.optional(), ...sliceQuery }) },
    responses: {
      200: jsonList(schema.contextResponse, "The definitions"),
      ...errors(400, 401, 403),
    },
  }),
  async (c) => {
    const query = c.req.valid("query");
    const rows = await service.listContexts(c.var.deps, c.var.actor, query.projectId);
    return c.json(sliced(c, rows, query).map(schema.toContext), 200);
  },
);

contexts.openapi(
  createRoute({
    method: "post",
    path: "/",
    operationId: "createContext",
    summary: "Create a context definition",
    tags,
    ...access("context:write"),
    request: { body: body(schema.createContextRequest) },
    responses: {
      201: json(schema.contextResponse, "The definition", "ETag"),
      ...errors(400, 401, 402, 403, 404, 409),
    },
  }),
  async (c) => {
    const row = await service.createContext(c.var.deps, c.var.actor, c.req.valid("json"));
    c.header("ETag", etagOf(row.version));
    return c.json(schema.toContext(row), 201);
  },
);

contexts.openapi(
  createRoute({
    method: "get",
    path: "/{definitionId}",
    operationId: "getContext",
    summary: "Read a context definition",
    tags,
    ...access("context:read"),
    request: { params: schema.definitionParams },
    responses: {
      200: json(schema.contextResponse, "The definition", "ETag"),
      ...errors(400, 401, 403, 404),
    },
  }),
  async (c) => {
    const { definitionId } = c.req.valid("param");
    const row = await service.getContext(c.var.deps, c.var.actor, definitionId);
    c.header("ETag", etagOf(row.version));
    return c.json(schema.toContext(row), 200);
  },
);

contexts.openapi(
  createRoute({
    method: "put",
    path: "/{definitionId}",
    operationId: "updateContext",
    summary: "Change the name or the type of a context definition",
    tags,
    ...access("context:write"),
    ...ifMatch,
    request: { params: schema.definitionParams, body: body(schema.updateContextRequest) },
    responses: {
      200: json(schema.contextResponse, "The definition", "ETag"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  }),
  async (c) => {
    const { definitionId } = c.req.valid("param");
    const input = c.req.valid("json");
    const { deps, actor } = c.var;
    const row = await service.updateContext(deps, actor, definitionId, input, ifMatchVersions(c));
    c.header("ETag", etagOf(row.version));
    return c.json(schema.toContext(row), 200);
  },
);

contexts.openapi(
  createRoute({
    method: "delete",
    path: "/{definitionId}",
    operationId: "deleteContext",
    summary: "Delete a context definition and its values",
    tags,
    ...access("context:write"),
    request: { params: schema.definitionParams },
    responses: { 204: empty("It is gone"), ...errors(400, 401, 403, 404, 409) },
  }),
  async (c) => {
    const { definitionId } = c.req.valid("param");
    await service.deleteContext(c.var.deps, c.var.actor, definitionId);
    return c.body(null, 204);
  },
);
