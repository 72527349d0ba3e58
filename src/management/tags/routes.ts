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

export const tags = new Router<ManagementEnv>("Tags");

tags.endpoint(
  "GET /",
  {
    operationId: "listTags",
    summary: "List tags",
    ...access("tag:read"),
    request: { query: listQuery("`flagCount`") },
    responses: {
      200: listResponse(schema.tagResponse, "The tags"),
      ...errors(400, 401, 403),
    },
  },
  async (c) => {
    const query = c.req.valid("query");
    const rows = await service.listTags(callOfRequest(c), query);
    return c.json(sliced(c, rows, query).map(schema.toTag), 200);
  },
);

tags.endpoint(
  "POST /",
  {
    operationId: "createTag",
    summary: "Create a tag",
    ...access("tag:write"),
    request: { body: body(schema.createTagRequest) },
    responses: {
      201: json(schema.tagResponse, "The tag", "ETag"),
      ...errors(400, 401, 402, 403, 404, 409),
    },
  },
  async (c) => {
    const row = await service.createTag(callOfRequest(c), c.req.valid("json"));
    return c.json(schema.toTag(row), 201, { ETag: etagOf(row.version) });
  },
);

tags.endpoint(
  "GET /{id}",
  {
    operationId: "getTag",
    summary: "Read a tag",
    ...access("tag:read"),
    request: { params: idParams },
    responses: { 200: json(schema.tagResponse, "The tag", "ETag"), ...errors(400, 401, 403, 404) },
  },
  async (c) => {
    const row = await service.getTag(callOfRequest(c), c.req.valid("param"));
    return c.json(schema.toTag(row), 200, { ETag: etagOf(row.version) });
  },
);

tags.endpoint(
  "PUT /{id}",
  {
    operationId: "updateTag",
    summary: "Change a tag",
    ...access("tag:write"),
    ...ifMatch,
    request: { params: idParams, body: body(schema.updateTagRequest) },
    responses: {
      200: json(schema.tagResponse, "The tag", "ETag"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const row = await service.updateTag(callOfRequest(c), {
      ...c.req.valid("json"),
      ...c.req.valid("param"),
      ifMatch: ifMatchVersions(c),
    });
    return c.json(schema.toTag(row), 200, { ETag: etagOf(row.version) });
  },
);

tags.endpoint(
  "DELETE /{id}",
  {
    operationId: "deleteTag",
    summary: "Delete a tag and detach it from every flag",
    ...access("tag:write"),
    request: { params: idParams },
    responses: { 204: empty("The tag has been deleted"), ...errors(400, 401, 403, 404, 409) },
  },
  async (c) => {
    await service.deleteTag(callOfRequest(c), c.req.valid("param"));
    return c.body(null, 204);
  },
);
