import { access } from "../../http/access.ts";
import { ifMatchVersions, etagOf } from "../../http/conditional.ts";
import { body, empty, ifMatch, json, listResponse } from "../../http/contract.ts";
import { sliced } from "../../http/paging.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { idParams } from "../../http/schema.ts";
import { toUser, toUserWithRoles, userWithRolesResponse } from "../auth/schema.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const users = new Router<ManagementEnv>("Users");

const toInvited = ({ user, invitationSent }: service.Invited) => ({
  ...toUser(user),
  invitationSent,
});

users.endpoint(
  "POST /invite",
  {
    operationId: "inviteUser",
    summary: "Invite a user by e-mail",
    ...access("user:write"),
    request: { body: body(schema.inviteRequest) },
    responses: {
      201: json(schema.invitedResponse, "The invited user"),
      ...errors(400, 401, 402, 403, 409),
    },
  },
  async (c) => {
    const invited = await service.inviteUser(callOfRequest(c), c.req.valid("json"));
    return c.json(toInvited(invited), 201);
  },
);

users.endpoint(
  "POST /{id}/invite",
  {
    operationId: "reinviteUser",
    summary: "Send an invitation again; the earlier link becomes invalid",
    description:
      "For a user who has not accepted an invitation yet. A user who was disabled before that is " +
      "`INVITED` again.",
    ...access("user:write"),
    request: { params: idParams },
    responses: {
      200: json(schema.invitedResponse, "The invited user"),
      ...errors(400, 401, 403, 404, 409),
    },
  },
  async (c) => {
    const invited = await service.reinviteUser(callOfRequest(c), c.req.valid("param"));
    return c.json(toInvited(invited), 200);
  },
);

users.endpoint(
  "GET /names",
  {
    operationId: "listUserNames",
    summary: "List the names of users, for example to choose the owners of a flag",
    ...access("user:read-names"),
    request: { query: schema.userNamesQuery },
    responses: {
      200: listResponse(schema.userNameResponse, "The names, sorted"),
      ...errors(400, 401, 403),
    },
  },
  async (c) => {
    const rows = await service.listUserNames(callOfRequest(c), c.req.valid("query"));
    return c.json(sliced(c, rows, c.req.valid("query")), 200);
  },
);

users.endpoint(
  "GET /",
  {
    operationId: "listUsers",
    summary: "List users",
    ...access("user:read"),
    request: { query: schema.usersQuery },
    responses: { 200: listResponse(userWithRolesResponse, "The users"), ...errors(400, 401, 403) },
  },
  async (c) => {
    const rows = await service.listUsers(callOfRequest(c), c.req.valid("query"));
    return c.json(sliced(c, rows, c.req.valid("query")).map(toUserWithRoles), 200);
  },
);

users.endpoint(
  "GET /{id}",
  {
    operationId: "getUser",
    summary: "Read a user",
    ...access("user:read"),
    request: { params: idParams },
    responses: {
      200: json(userWithRolesResponse, "The user", "ETag"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const found = await service.getUser(callOfRequest(c), c.req.valid("param"));
    c.header("ETag", etagOf(found.user.version));
    return c.json(toUserWithRoles(found), 200);
  },
);

users.endpoint(
  "PUT /{id}",
  {
    operationId: "updateUser",
    summary: "Change a user; a new role or status ends the user's sessions",
    ...access("user:write"),
    ...ifMatch,
    request: { params: idParams, body: body(schema.updateUserRequest) },
    responses: {
      200: json(userWithRolesResponse, "The user", "ETag"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const { id } = c.req.valid("param");
    const input = { ...c.req.valid("json"), id, ifMatch: ifMatchVersions(c) };
    const found = await service.updateUser(callOfRequest(c), input);
    c.header("ETag", etagOf(found.user.version));
    return c.json(toUserWithRoles(found), 200);
  },
);

users.endpoint(
  "DELETE /{id}",
  {
    operationId: "deleteUser",
    summary: "Remove a user",
    ...access("user:write"),
    request: { params: idParams },
    responses: { 204: empty("The user has been removed"), ...errors(400, 401, 403, 404, 409) },
  },
  async (c) => {
    await service.deleteUser(callOfRequest(c), c.req.valid("param"));
    return c.body(null, 204);
  },
);

users.endpoint(
  "DELETE /{id}/mfa",
  {
    operationId: "resetUserMfa",
    summary: "Remove the second factors of a user who lost them; ends the user's sessions",
    ...access("user:write"),
    request: { params: idParams },
    responses: {
      204: empty("The user has neither an authenticator app nor a passkey any more"),
      ...errors(400, 401, 403, 404, 409),
    },
  },
  async (c) => {
    await service.resetMfa(callOfRequest(c), c.req.valid("param"));
    return c.body(null, 204);
  },
);
