import { createRoute, z } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { etagOf, ifMatchVersions } from "../../http/conditional.ts";
import { body, empty, ifMatch, json, jsonList } from "../../http/contract.ts";
import { sliced, sliceQuery } from "../../http/paging.ts";
import { errors } from "../../http/error-contract.ts";
import { createRouter } from "../../http/router.ts";
import { idParams } from "../../http/schema.ts";
import { contextOf } from "../context.ts";
import type { ManagementEnv } from "../deps.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const projects = createRouter<ManagementEnv>();
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
    const rows = await service.listProjects(contextOf(c));
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
    const row = await service.createProject(contextOf(c), c.req.valid("json"));
    return c.json(schema.toProject(row), 201, { ETag: etagOf(row.version) });
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
    const row = await service.getProject(contextOf(c), c.req.valid("param"));
    return c.json(schema.toProject(row), 200, { ETag: etagOf(row.version) });
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
    const row = await service.updateProject(contextOf(c), {
      ...c.req.valid("json"),
      ...c.req.valid("param"),
      ifMatch: ifMatchVersions(c),
    });
    return c.json(schema.toProject(row), 200, { ETag: etagOf(row.version) });
  },
);

projects.openapi(
  createRoute({
    method: "delete",
    path: "/{id}",
    operationId: "deleteProject",
    summary: "Delete a project and everything in it; it must have no API keys",
    tags,
    ...access("project:write"),
    ...ifMatch,
    request: { params: idParams },
    responses: {
      204: empty("The project has been deleted"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  }),
  async (c) => {
    await service.deleteProject(contextOf(c), {
      ...c.req.valid("param"),
      ifMatch: ifMatchVersions(c),
    });
    return c.body(null, 204);
  },
);
