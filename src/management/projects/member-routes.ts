import { access } from "../../http/access.ts";
import { etagOf, ifMatchVersions } from "../../http/conditional.ts";
import { body, empty, ifMatch, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { idParams } from "../../http/schema.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./member-schema.ts";
import * as service from "./member-service.ts";

export const projectMembers = new Router<ManagementEnv>("Projects");

projectMembers.endpoint(
  "GET /{id}/members",
  {
    operationId: "listProjectMembers",
    summary: "List the members of a project, with their roles there",
    ...access("member:read"),
    request: { params: idParams },
    responses: {
      200: json(schema.membersResponse, "The members, sorted by name"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const rows = await service.listMembers(callOfRequest(c), c.req.valid("param"));
    return c.json(rows.map(schema.toMember), 200);
  },
);

projectMembers.endpoint(
  "PUT /{id}/members/{userId}",
  {
    operationId: "setProjectMember",
    summary: "Make a user a member of a project, or give a member another role",
    description:
      "In the project, the user has the higher of this role and the role in the organisation.",
    ...access("member:write"),
    ...ifMatch,
    request: { params: schema.memberParams, body: body(schema.memberRequest) },
    responses: {
      200: json(schema.memberResponse, "The member", "ETag"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const row = await service.setMember(callOfRequest(c), {
      ...c.req.valid("json"),
      ...c.req.valid("param"),
      ifMatch: ifMatchVersions(c),
    });
    return c.json(schema.toMember(row), 200, { ETag: etagOf(row.version) });
  },
);

projectMembers.endpoint(
  "DELETE /{id}/members/{userId}",
  {
    operationId: "removeProjectMember",
    summary: "End the membership of a user in a project",
    ...access("member:write"),
    ...ifMatch,
    request: { params: schema.memberParams },
    responses: {
      204: empty("The user is no member of the project any more"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    await service.removeMember(callOfRequest(c), {
      ...c.req.valid("param"),
      ifMatch: ifMatchVersions(c),
    });
    return c.body(null, 204);
  },
);
