import { z } from "@hono/zod-openapi";
import { access, bearerToken } from "../../http/access.ts";
import { etagOf, ifMatchVersions } from "../../http/conditional.ts";
import { body, empty, ifMatch, json, listResponse } from "../../http/contract.ts";
import { listQuery, sliced } from "../../http/paging.ts";
import { parameterRef } from "../../http/headers.ts";
import { errors } from "../../http/error-contract.ts";
import { parseRevision } from "../../http/revision.ts";
import { Router } from "../../http/router.ts";
import { idParams } from "../../http/schema.ts";
import { expiryOf } from "../../access/jwt.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const projects = new Router<ManagementEnv>("Projects");

projects.endpoint(
  "GET /",
  {
    operationId: "listProjects",
    summary: "List projects",
    ...access("project:read"),
    request: {
      query: listQuery("`flagCount`, `environmentCount`, `memberCount` and `lastChange`").omit({
        projectId: true,
      }),
    },
    responses: {
      200: listResponse(schema.projectResponse, "The projects"),
      ...errors(400, 401, 403),
    },
  },
  async (c) => {
    const query = c.req.valid("query");
    const rows = await service.listProjects(callOfRequest(c), query);
    return c.json(
      sliced(c, rows, query).map((row) => schema.toProject(row, c.var.actor)),
      200,
    );
  },
);

projects.endpoint(
  "POST /",
  {
    operationId: "createProject",
    summary: "Create a project",
    ...access("project:create"),
    request: { body: body(schema.createProjectRequest) },
    responses: {
      201: json(schema.projectResponse, "The project", "ETag"),
      ...errors(400, 401, 402, 403, 409),
    },
  },
  async (c) => {
    const row = await service.createProject(callOfRequest(c), c.req.valid("json"));
    return c.json(schema.toProject(row, c.var.actor), 201, { ETag: etagOf(row.version) });
  },
);

projects.endpoint(
  "GET /{id}",
  {
    operationId: "getProject",
    summary: "Read a project",
    ...access("project:read"),
    request: { params: idParams },
    responses: {
      200: json(schema.projectResponse, "The project", "ETag"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const row = await service.getProject(callOfRequest(c), c.req.valid("param"));
    return c.json(schema.toProject(row, c.var.actor), 200, { ETag: etagOf(row.version) });
  },
);

projects.endpoint(
  "PUT /{id}",
  {
    operationId: "updateProject",
    summary: "Change a project",
    description:
      "A new name needs the permission `project:create`, because names are unique among all projects.",
    ...access("project:write"),
    ...ifMatch,
    request: { params: idParams, body: body(schema.updateProjectRequest) },
    responses: {
      200: json(schema.projectResponse, "The project", "ETag"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const row = await service.updateProject(callOfRequest(c), {
      ...c.req.valid("json"),
      ...c.req.valid("param"),
      ifMatch: ifMatchVersions(c),
    });
    return c.json(schema.toProject(row, c.var.actor), 200, { ETag: etagOf(row.version) });
  },
);

projects.endpoint(
  "DELETE /{id}",
  {
    operationId: "deleteProject",
    summary: "Delete a project and everything in it; it must have no API keys",
    ...access("project:write"),
    ...ifMatch,
    request: { params: idParams },
    responses: {
      204: empty("The project has been deleted"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    await service.deleteProject(callOfRequest(c), {
      ...c.req.valid("param"),
      ifMatch: ifMatchVersions(c),
    });
    return c.body(null, 204);
  },
);

projects.endpoint(
  "GET /{id}/stream",
  {
    operationId: "streamChanges",
    summary: "Learn at once that something in a project has changed",
    description:
      "Server-sent events: the stream stays open, and each change of the project is an event " +
      "`changed` without data. Its `id` grows with each change. A client that connects with an older " +
      "`Last-Event-ID` gets an event at once. Every 25 seconds there is a comment. The stream ends " +
      "when the access token expires, with an API key or another token after the lifetime of an access token, and when " +
      "the project is deleted. When the service holds as many streams as it can: 429 with " +
      "`Retry-After`.",
    ...access("flag:read"),
    parameters: [parameterRef("Last-Event-ID")],
    request: { params: idParams },
    responses: {
      200: {
        description: "The events",
        content: {
          "text/event-stream": {
            schema: z.string(),
            example: "retry: 2718\n\nevent: changed\nid: 1042\ndata: {}\n\n",
          },
        },
      },
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const headers = {
      "Content-Type": "text/event-stream",
      // Sends `no-transform`, which keeps proxies from compressing the stream. Compression delays
      // events.
      "Cache-Control": "no-store, no-transform",
    };
    const call = callOfRequest(c);
    const openStream = await service.streamChanges(call, c.req.valid("param"));
    // Responds to HEAD without opening a stream. The response has no body, so nothing would close
    // the stream.
    if (c.req.method === "HEAD") return c.body(null, 200, headers);
    const token = bearerToken(c.req.header("Authorization"));
    const isUser =
      token !== undefined && call.actor.kind === "user" && call.actor.token === undefined;
    const events = await openStream({
      last: parseRevision(c.req.header("Last-Event-ID")),
      until: isUser ? expiryOf(token) : call.now() + call.tokens.accessTtlSeconds * 1000,
      signal: c.req.raw.signal,
    });
    return c.body(events, 200, headers);
  },
);
