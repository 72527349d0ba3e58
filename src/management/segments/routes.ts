import { createRoute, z } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { ifMatchVersions, etagOf } from "../../http/conditional.ts";
import { body, empty, ifMatch, json, jsonList } from "../../http/contract.ts";
import { sliced, sliceQuery } from "../../http/paging.ts";
import { errors } from "../../http/error-contract.ts";
import { createRoom } from "../../http/router.ts";
import { idParams, idText } from "../../http/schema.ts";
import type { ManagementEnv } from "../deps.ts";
import { setRevisions } from "../revision-header.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const segments = createRoom<ManagementEnv>();
const tags = ["Segments"];

segments.openapi(
  createRoute({
    method: "get",
    path: "/",
    operationId: "listSegments",
    summary: "List segments",
    tags,
    ...access("segment:read"),
    request: { query: z.object({ projectId: idText.optional(), ...sliceQuery }) },
    responses: {
      200: jsonList(schema.segmentResponse, "The segments"),
      ...errors(400, 401, 403),
    },
  }),
  async (c) => {
    const query = c.req.valid("query");
    const rows = await service.listSegments(c.var.deps, c.var.actor, query.projectId);
    return c.json(sliced(c, rows, query).map(schema.toSegment), 200);
  },
);

segments.openapi(
  createRoute({
    method: "post",
    path: "/",
    operationId: "createSegment",
    summary: "Create a segment",
    tags,
    ...access("segment:write"),
    request: { body: body(schema.createSegmentRequest) },
    responses: {
      201: json(schema.segmentResponse, "The segment", "ETag"),
      ...errors(400, 401, 402, 403, 404, 409),
    },
  }),
  async (c) => {
    const row = await service.createSegment(c.var.deps, c.var.actor, c.req.valid("json"));
    c.header("ETag", etagOf(row.version));
    return c.json(schema.toSegment(row), 201);
  },
);

segments.openapi(
  createRoute({
    method: "get",
    path: "/{id}",
    operationId: "getSegment",
    summary: "Read a segment",
    tags,
    ...access("segment:read"),
    request: { params: idParams },
    responses: {
      200: json(schema.segmentResponse, "The segment", "ETag"),
      ...errors(400, 401, 403, 404),
    },
  }),
  async (c) => {
    const row = await service.getSegment(c.var.deps, c.var.actor, c.req.valid("param").id);
    c.header("ETag", etagOf(row.version));
    return c.json(schema.toSegment(row), 200);
  },
);

segments.openapi(
  createRoute({
    method: "put",
    path: "/{id}",
    operationId: "updateSegment",
    summary: "Change a segment, and with it every flag that uses it",
    tags,
    ...access("segment:write"),
    ...ifMatch,
    request: { params: idParams, body: body(schema.updateSegmentRequest) },
    responses: {
      200: json(schema.segmentResponse, "The segment", "ETag", "X-Revision"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const input = c.req.valid("json");
    const { deps, actor } = c.var;
    const changed = await service.updateSegment(deps, actor, id, input, ifMatchVersions(c));
    setRevisions(c, changed.revisions);
    c.header("ETag", etagOf(changed.row.version));
    return c.json(schema.toSegment(changed.row), 200);
  },
);

segments.openapi(
  createRoute({
    method: "delete",
    path: "/{id}",
    operationId: "deleteSegment",
    summary: "Delete a segment that no flag uses",
    tags,
    ...access("segment:write"),
    ...ifMatch,
    request: { params: idParams },
    responses: { 204: empty("It is gone"), ...errors(400, 401, 403, 404, 409, 412) },
  }),
  async (c) => {
    const { deps, actor } = c.var;
    await service.deleteSegment(deps, actor, c.req.valid("param").id, ifMatchVersions(c));
    return c.body(null, 204);
  },
);
