import { createRoute, z } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { ifMatchVersions, etagOf } from "../../http/conditional.ts";
import { body, empty, ifMatch, json, jsonList } from "../../http/contract.ts";
import { sliced, sliceQuery } from "../../http/paging.ts";
import { errors } from "../../http/error-contract.ts";
import { createRoom } from "../../http/router.ts";
import { idParams } from "../../http/schema.ts";
import type { ManagementEnv } from "../deps.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const projects = createRoom<ManagementEnv>();
const tags = ["Projects"];

projects.openapi(
  createRoute({
    method: "get",
    path: "/",
    operationId: "listProjects",
    summary: "List projects",
    tags,
    ...access("project:read"),
    request: { query: z.object(sliceQuery) },
    responses: {
      200: jsonList(schema.projectResponse, "The projects"),
      ...errors(400, 401, 403),
    },
  }),
  async (c) => {
    const rows = await service.listProjects(c.var.deps, c.var.actor);
    return c.json(sliced(c, rows, c.req.valid("query")).map(schema.toProject), 200);
  },
);

projects.openapi(
  createRoute({
    method: "post",
    path: "/",
    operationId: "createProject",
    summary: "Create a project",
    tags,
    ...access("project:write"),
    request: { body: body(schema.createProjectRequest) },
    responses: {
      201: json(schema.projectResponse, "The project", "ETag"),
      ...errors(400, 401, 402, 403, 409),
    },
  }),
  async (c) => {
    const row = await service.createProject(c.var.deps, c.var.actor, c.req.valid("json"));
    c.header("ETag", etagOf(row.version));
    return c.json(schema.toProject(row), 201);
  },
);

projects.openapi(
  createRoute({
    method: "get",
    path: "/{id}",
    operationId: "getProject",
    summary: "Read a project",
    tags,
    ...access("project:read"),
    request: { params: idParams },
    responses: {
      200: json(schema.projectResponse, "The project", "ETag"),
      ...errors(400, 401, 403, 404),
    },
  }),
  async (c) => {
    const row = await service.getProject(c.var.deps, c.var.actor, c.req.valid("param").id);
    c.header("ETag", etagOf(row.version));
    return c.json(schema.toProject(row), 200);
  },
);

projects.openapi(
  createRoute({
    method: "put",
    path: "/{id}",
    operationId: "updateProject",
    summary: "Change a project",
    tags,
    ...access("project:write"),
    ...ifMatch,
    request: { params: idParams, body: body(schema.updateProjectRequest) },
    responses: {
      200: json(schema.projectResponse, "The project", "ETag"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const input = c.req.valid("json");
    const { deps, actor } = c.var;
    const row = await service.updateProject(deps, actor, id, input, ifMatchVersions(c));
    c.header("ETag", etagOf(row.version));
    return c.json(schema.toProject(row), 200);
  },
);

projects.openapi(
  createRoute({
    method: "delete",
    path: "/{id}",
    operationId: "deleteProject",
    summary: "Delete a project with everything in it",
    tags,
    ...access("project:write"),
    ...ifMatch,
    request: { params: idParams },
    responses: { 204: empty("It is gone"), ...errors(400, 401, 403, 404, 409, 412) },
  }),
  async (c) => {
    const { deps, actor } = c.var;
    await service.deleteProject(deps, actor, c.req.valid("param").id, ifMatchVersions(c));
    return c.body(null, 204);
  },
);
