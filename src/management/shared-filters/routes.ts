import { z } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { etagOf, ifMatchVersions } from "../../http/conditional.ts";
import { body, empty, ifMatch, json, listResponse } from "../../http/contract.ts";
import { sliced, sliceQuery } from "../../http/paging.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { idParams, idText } from "../../http/schema.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const sharedFilters = new Router<ManagementEnv>("Flags");

sharedFilters.endpoint(
  "GET /",
  {
    operationId: "listSharedFilters",
    summary: "List the filters of the list of flags that projects share",
    ...access("shared-filter:read"),
    request: { query: z.object({ projectId: idText.optional(), ...sliceQuery }) },
    responses: {
      200: listResponse(schema.sharedFilterResponse, "The shared filters"),
      ...errors(400, 401, 403),
    },
  },
  async (c) => {
    const query = c.req.valid("query");
    const rows = await service.listSharedFilters(callOfRequest(c), query);
    return c.json(sliced(c, rows, query).map(schema.toSharedFilter), 200);
  },
);

sharedFilters.endpoint(
  "POST /",
  {
    operationId: "createSharedFilter",
    summary: "Create a shared filter",
    ...access("shared-filter:write"),
    request: { body: body(schema.createSharedFilterRequest) },
    responses: {
      201: json(schema.sharedFilterResponse, "The shared filter", "ETag"),
      ...errors(400, 401, 402, 403, 404, 409),
    },
  },
  async (c) => {
    const row = await service.createSharedFilter(callOfRequest(c), c.req.valid("json"));
    return c.json(schema.toSharedFilter(row), 201, { ETag: etagOf(row.version) });
  },
);

sharedFilters.endpoint(
  "GET /{id}",
  {
    operationId: "getSharedFilter",
    summary: "Read a shared filter",
    ...access("shared-filter:read"),
    request: { params: idParams },
    responses: {
      200: json(schema.sharedFilterResponse, "The shared filter", "ETag"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const row = await service.getSharedFilter(callOfRequest(c), c.req.valid("param"));
    return c.json(schema.toSharedFilter(row), 200, { ETag: etagOf(row.version) });
  },
);

sharedFilters.endpoint(
  "PUT /{id}",
  {
    operationId: "updateSharedFilter",
    summary: "Change a shared filter",
    ...access("shared-filter:write"),
    ...ifMatch,
    request: { params: idParams, body: body(schema.updateSharedFilterRequest) },
    responses: {
      200: json(schema.sharedFilterResponse, "The shared filter", "ETag"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const row = await service.updateSharedFilter(callOfRequest(c), {
      ...c.req.valid("json"),
      ...c.req.valid("param"),
      ifMatch: ifMatchVersions(c),
    });
    return c.json(schema.toSharedFilter(row), 200, { ETag: etagOf(row.version) });
  },
);

sharedFilters.endpoint(
  "DELETE /{id}",
  {
    operationId: "deleteSharedFilter",
    summary: "Delete a shared filter",
    ...access("shared-filter:write"),
    ...ifMatch,
    request: { params: idParams },
    responses: {
      204: empty("The shared filter has been deleted"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const { id } = c.req.valid("param");
    await service.deleteSharedFilter(callOfRequest(c), { id, ifMatch: ifMatchVersions(c) });
    return c.body(null, 204);
  },
);
