import { z } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { etagOf, ifMatchVersions } from "../../http/conditional.ts";
import { body, empty, ifMatch, json, listResponse } from "../../http/contract.ts";
import { withTotal } from "../../http/paging.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { idParams } from "../../http/schema.ts";
import { callOfRequest } from "../../access/call.ts";
import { propose, proposedResponse } from "../shared/propose.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import { proposeQuery } from "../shared/propose-query.ts";
import { revertContract, revertResult } from "../shared/revert-route.ts";
import { setRevisions } from "../shared/revision-header.ts";
import { revertSegment, revertingSegment } from "./revert-service.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const segments = new Router<ManagementEnv>("Segments");

segments.endpoint(
  "GET /",
  {
    operationId: "listSegments",
    summary: "List segments",
    ...access("segment:read"),
    request: { query: schema.segmentsQuery },
    responses: {
      200: listResponse(schema.segmentResponse, "The segments"),
      ...errors(400, 401, 403),
    },
  },
  async (c) => {
    const query = c.req.valid("query");
    const { items, total } = await service.listSegments(callOfRequest(c), query);
    withTotal(c, total);
    return c.json(items.map(schema.toSegment), 200);
  },
);

segments.endpoint(
  "POST /",
  {
    operationId: "createSegment",
    summary: "Create a segment",
    ...access("segment:write"),
    request: { body: body(schema.createSegmentRequest) },
    responses: {
      201: json(schema.segmentResponse, "The segment", "ETag"),
      ...errors(400, 401, 402, 403, 404, 409),
    },
  },
  async (c) => {
    const row = await service.createSegment(callOfRequest(c), c.req.valid("json"));
    return c.json(schema.toSegment(row), 201, { ETag: etagOf(row.version) });
  },
);

segments.endpoint(
  "GET /{id}",
  {
    operationId: "getSegment",
    summary: "Read a segment",
    ...access("segment:read"),
    request: { params: idParams },
    responses: {
      200: json(schema.segmentResponse, "The segment", "ETag"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const row = await service.getSegment(callOfRequest(c), c.req.valid("param"));
    return c.json(schema.toSegment(row), 200, { ETag: etagOf(row.version) });
  },
);

segments.endpoint(
  "PUT /{id}",
  {
    operationId: "updateSegment",
    summary: "Change a segment; this changes every flag that uses it",
    ...access("segment:write"),
    ...ifMatch,
    request: {
      params: idParams,
      query: z.object(proposeQuery),
      body: body(schema.updateSegmentRequest),
    },
    responses: {
      ...proposedResponse,
      200: json(schema.segmentResponse, "The segment", "ETag", "X-Revision"),
      ...errors(400, 401, 402, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const change = {
      ...c.req.valid("json"),
      ...c.req.valid("param"),
      ifMatch: ifMatchVersions(c),
    };
    if (c.req.valid("query").propose) return propose(c, service.updatingSegment(change));
    const changed = await service.updateSegment(callOfRequest(c), change);
    setRevisions(c, changed.revisions);
    return c.json(schema.toSegment(changed.row), 200, { ETag: etagOf(changed.row.version) });
  },
);

segments.endpoint(
  "DELETE /{id}",
  {
    operationId: "deleteSegment",
    summary: "Delete a segment that no flag uses",
    ...access("segment:write"),
    ...ifMatch,
    request: { params: idParams },
    responses: {
      204: empty("The segment has been deleted"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    await service.deleteSegment(callOfRequest(c), {
      ...c.req.valid("param"),
      ifMatch: ifMatchVersions(c),
    });
    return c.body(null, 204);
  },
);

segments.endpoint(
  "POST /{id}/revert",
  {
    operationId: "revertSegment",
    summary: "Restore a segment as it was before an audit record",
    description:
      "Undoes the change of the record and all later changes of the segment. After a deletion, the segment is " +
      "created again with a new id. The response of a dry run is the preview.",
    ...access("segment:write"),
    ...revertContract(idParams),
  },
  async (c) => {
    const input = { ...c.req.valid("param"), ...c.req.valid("json"), ...c.req.valid("query") };
    return revertResult(c, input, { revert: revertSegment, reverting: revertingSegment });
  },
);
