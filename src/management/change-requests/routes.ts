import type { Context } from "hono";
import { access } from "../../http/access.ts";
import { etagOf, ifMatchTags } from "../../http/conditional.ts";
import { body, ifMatch, json, listResponse } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { sliced } from "../../http/paging.ts";
import { idParams } from "../../http/schema.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import { toTargeted } from "../operations/schema.ts";
import { setRevisions } from "../shared/revision-header.ts";
import { applyRequest } from "../../workflows/change-requests/apply-service.ts";
import * as conversation from "../../workflows/change-requests/conversation-service.ts";
import {
  type ChangeRequest,
  getRequest,
  listRequests,
} from "../../workflows/change-requests/read-service.ts";
import * as responses from "../shared/change-request-response.ts";
import { askReviewers, listReviewers } from "../../workflows/change-requests/reviewer-service.ts";
import * as schema from "./schema.ts";
import * as service from "../../workflows/change-requests/service.ts";

export const changeRequests = new Router<ManagementEnv>("Change requests");

const changed = json(responses.requestResponse, "The change request", "ETag");

/** Returns the body and the headers of a response with a change request. */
const shown = (c: Context<ManagementEnv>, request: ChangeRequest) =>
  [responses.toRequest(request, c.var.actor), { ETag: etagOf(request.tag) }] as const;

changeRequests.endpoint(
  "GET /",
  {
    operationId: "listChangeRequests",
    summary: "List change requests, the newest first",
    ...access("change-request:read"),
    request: { query: schema.listQuery },
    responses: {
      200: json(responses.pageResponse, "The change requests"),
      ...errors(400, 401, 403),
    },
  },
  async (c) => {
    const query = c.req.valid("query");
    return c.json(
      responses.toRequestPage(await listRequests(callOfRequest(c), query), query, c.var.actor),
      200,
    );
  },
);

changeRequests.endpoint(
  "POST /",
  {
    operationId: "openChangeRequest",
    summary: "Propose up to 200 changes of a project, which others review",
    description:
      "The operations are checked as by a dry run, and nothing is changed. Applying the request writes exactly " +
      "what was reviewed. A target may occur once.",
    ...access("change-request:write"),
    request: { body: body(schema.createRequest) },
    responses: {
      200: json(
        responses.requestResponse,
        "The open change request of the same author with the same changes at the same times",
        "ETag",
        "Location",
      ),
      201: json(responses.requestResponse, "The change request", "ETag", "Location"),
      ...errors(400, 401, 402, 403, 404, 409),
    },
  },
  async (c) => {
    const { operations, ...rest } = c.req.valid("json");
    const input = { ...rest, operations: operations.map(toTargeted) };
    const { request, isNew } = await service.openOnce(callOfRequest(c), input);
    const [sent, headers] = shown(c, request);
    return c.json(sent, isNew ? 201 : 200, { ...headers, Location: responses.pathOf(request) });
  },
);

changeRequests.endpoint(
  "GET /reviewers",
  {
    operationId: "listReviewers",
    summary: "List the people who may be asked to review a change request",
    ...access("user:read-names"),
    request: { query: schema.candidatesQuery },
    responses: {
      200: listResponse(responses.reviewer, "The people, sorted by name"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const { projectId, environmentIds = [], requestId, ...slice } = c.req.valid("query");
    const asked = { projectId, environmentIds, requestId };
    return c.json(sliced(c, await listReviewers(callOfRequest(c), asked), slice), 200);
  },
);

changeRequests.endpoint(
  "POST /{id}/reviewers",
  {
    operationId: "askReviewers",
    summary: "Ask people to review an open change request, at most 10, or take that back",
    description:
      "The approvals that the request needs stay as they are, and others may review it, too. Each new reviewer gets " +
      "an e-mail.",
    ...access("change-request:write"),
    request: { params: idParams, body: body(schema.askRequest) },
    responses: { 200: changed, ...errors(400, 401, 402, 403, 404, 409) },
  },
  async (c) => {
    const input = { ...c.req.valid("param"), ...c.req.valid("json") };
    const [sent, headers] = shown(c, await askReviewers(callOfRequest(c), input));
    return c.json(sent, 200, headers);
  },
);

changeRequests.endpoint(
  "GET /{id}",
  {
    operationId: "getChangeRequest",
    summary: "Read a change request with its operations, reviews and comments",
    ...access("change-request:read"),
    request: { params: idParams },
    responses: { 200: changed, ...errors(400, 401, 403, 404) },
  },
  async (c) => {
    const [sent, headers] = shown(c, await getRequest(callOfRequest(c), c.req.valid("param")));
    return c.json(sent, 200, headers);
  },
);

changeRequests.endpoint(
  "PUT /{id}",
  {
    operationId: "updateChangeRequest",
    summary: "Change the title, the description or the operations of an open change request",
    description:
      "`If-Match` must have the hash of the request. Another title, description, time, or other operations need new " +
      "reviews. Whoever edits a request may not review it any more.",
    ...access("change-request:write"),
    ...ifMatch,
    request: { params: idParams, body: body(schema.updateRequest) },
    responses: { 200: changed, ...errors(400, 401, 402, 403, 404, 409, 412) },
  },
  async (c) => {
    const { operations, ...rest } = c.req.valid("json");
    const request = await service.editRequest(callOfRequest(c), {
      ...c.req.valid("param"),
      ...rest,
      operations: operations?.map(toTargeted),
      ifMatch: ifMatchTags(c),
    });
    const [sent, headers] = shown(c, request);
    return c.json(sent, 200, headers);
  },
);

changeRequests.endpoint(
  "POST /{id}/reviews",
  {
    operationId: "reviewChangeRequest",
    summary: "Approve or reject a change request of somebody else",
    description:
      "`If-Match` must have the hash of the request as it was reviewed. A new review replaces the one before.",
    ...access("change-request:review"),
    ...ifMatch,
    request: { params: idParams, body: body(schema.reviewRequest) },
    responses: { 200: changed, ...errors(400, 401, 403, 404, 409, 412) },
  },
  async (c) => {
    const input = { ...c.req.valid("param"), ...c.req.valid("json"), ifMatch: ifMatchTags(c) };
    const [sent, headers] = shown(c, await conversation.reviewRequest(callOfRequest(c), input));
    return c.json(sent, 200, headers);
  },
);

changeRequests.endpoint(
  "POST /{id}/comments",
  {
    operationId: "commentChangeRequest",
    summary: "Add a comment to a change request",
    ...access("change-request:write"),
    request: { params: idParams, body: body(schema.commentRequest) },
    responses: {
      201: json(responses.requestResponse, "The change request", "ETag"),
      ...errors(400, 401, 402, 403, 404),
    },
  },
  async (c) => {
    const input = { ...c.req.valid("param"), ...c.req.valid("json") };
    const [sent, headers] = shown(c, await conversation.addComment(callOfRequest(c), input));
    return c.json(sent, 201, headers);
  },
);

changeRequests.endpoint(
  "POST /{id}/apply",
  {
    operationId: "applyChangeRequest",
    summary: "Apply a change request: all of it in one transaction, and only once",
    description:
      "`If-Match` must have the hash of the request. Whoever may write to its environments may apply it. An " +
      "administrator can bypass missing approvals with `X-Approval-Bypass` and `X-Change-Reason`.",
    ...access("change-request:write"),
    ...ifMatch,
    request: { params: idParams },
    responses: {
      200: json(responses.requestResponse, "The change request", "ETag", "X-Revision"),
      ...errors(400, 401, 402, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const input = { ...c.req.valid("param"), ifMatch: ifMatchTags(c) };
    const { request, revisions } = await applyRequest(callOfRequest(c), input);
    setRevisions(c, revisions);
    const [sent, headers] = shown(c, request);
    return c.json(sent, 200, headers);
  },
);

changeRequests.endpoint(
  "POST /{id}/close",
  {
    operationId: "closeChangeRequest",
    summary: "Close a change request without applying it, as its author or an administrator",
    ...access("change-request:write"),
    request: { params: idParams },
    responses: { 200: changed, ...errors(400, 401, 403, 404, 409) },
  },
  async (c) => {
    const [sent, headers] = shown(
      c,
      await conversation.closeRequest(callOfRequest(c), c.req.valid("param")),
    );
    return c.json(sent, 200, headers);
  },
);

changeRequests.endpoint(
  "POST /{id}/rebase",
  {
    operationId: "rebaseChangeRequest",
    summary: "Base an outdated change request on the contents as they are now",
    description:
      "`If-Match` must have the hash of the request. A field that only one side has changed is taken from it; " +
      "ordered rules are merged by their ids. The 409 lists the fields that both have changed, such as " +
      "`operations.0.percentage` or `operations.0.rules.k3v9x0qa2b`.",
    ...access("change-request:write"),
    ...ifMatch,
    request: { params: idParams, body: body(schema.rebaseRequest) },
    responses: { 200: changed, ...errors(400, 401, 402, 403, 404, 409, 412) },
  },
  async (c) => {
    const input = { ...c.req.valid("param"), ...c.req.valid("json"), ifMatch: ifMatchTags(c) };
    const [sent, headers] = shown(c, await service.rebaseRequest(callOfRequest(c), input));
    return c.json(sent, 200, headers);
  },
);
