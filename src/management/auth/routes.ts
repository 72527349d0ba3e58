import { z } from "@hono/zod-openapi";
import { access, open, openAtRate } from "../../http/access.ts";
import { body, empty, json } from "../../http/contract.ts";
import { errorRef, errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./session-schema.ts";
import * as service from "./service.ts";

export const auth = new Router<ManagementEnv>("Authentication");

auth.endpoint(
  "POST /login",
  {
    operationId: "login",
    summary: "Sign in with e-mail and password",
    ...open,
    request: { body: body(schema.loginRequest) },
    responses: {
      200: json(
        z.union([schema.sessionResponse, schema.firstStepResponse]),
        "The session, or a token for the second step if the user has a second factor",
      ),
      ...errors(400, 403),
      401: errorRef("InvalidCredentials"),
    },
  },
  async (c) => {
    const login = await service.login(c.var.deps, c.req.valid("json"));
    if ("mfaToken" in login) return c.json(schema.toFirstStep(login), 200);
    return c.json(schema.toSession(login), 200);
  },
);

auth.endpoint(
  "POST /refresh",
  {
    operationId: "refreshSession",
    summary: "Exchange a refresh token for new tokens",
    description:
      "A refresh token works once. Sending it again ends the session (`TOKEN_REUSE`). After a " +
      "logout, or any other end of the session, its refresh token returns `UNAUTHORIZED`.",
    ...openAtRate("session"),
    request: { body: body(schema.refreshRequest) },
    responses: {
      200: json(schema.sessionResponse, "The new tokens"),
      ...errors(400),
      401: errorRef("RefreshRefused"),
    },
  },
  async (c) => {
    const session = await service.refresh(c.var.deps, c.req.valid("json"));
    return c.json(schema.toSession(session), 200);
  },
);

auth.endpoint(
  "POST /logout",
  {
    operationId: "logout",
    summary: "Sign out: end the session of the access token",
    description: "The session's access tokens and its refresh token are rejected from then on.",
    ...access("session:own"),
    responses: { 204: empty("The session has ended"), ...errors(400, 401, 403) },
  },
  async (c) => {
    await service.logout(callOfRequest(c));
    return c.body(null, 204);
  },
);

auth.endpoint(
  "POST /select-project",
  {
    operationId: "selectProject",
    summary: "Select the project that the session works in",
    description:
      "Returns a new access token, and no refresh token: the caller's refresh token stays valid, " +
      "and its next access tokens name the project, too. When the project is deleted, the next " +
      "refresh drops the selection.",
    ...access("session:own"),
    request: { body: body(schema.selectProjectRequest) },
    responses: {
      200: json(schema.projectSessionResponse, "The project, and an access token that names it"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const selected = await service.selectProject(callOfRequest(c), c.req.valid("json"));
    return c.json(schema.toSelectedProject(selected, c.var.actor), 200);
  },
);

auth.endpoint(
  "GET /sessions",
  {
    operationId: "listSessions",
    summary: "List your active sessions",
    ...access("session:own"),
    responses: {
      200: json(z.array(schema.sessionInfoResponse), "The sessions, newest first"),
      ...errors(401, 403),
    },
  },
  async (c) => {
    const sessions = await service.listSessions(callOfRequest(c));
    return c.json(sessions.map(schema.toSessionInfo), 200);
  },
);

auth.endpoint(
  "DELETE /sessions/{sessionId}",
  {
    operationId: "revokeSession",
    summary: "End one of your sessions",
    description: "The session's access tokens and its refresh token are rejected from then on.",
    ...access("session:own"),
    request: { params: schema.sessionParams },
    responses: { 204: empty("The session has ended"), ...errors(400, 401, 403, 404) },
  },
  async (c) => {
    await service.revokeSession(callOfRequest(c), c.req.valid("param"));
    return c.body(null, 204);
  },
);
