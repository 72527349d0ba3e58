import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { UserActor } from "../../core/permissions.ts";
import { unauthorized } from "../../core/errors.ts";
import { access, open } from "../../http/access.ts";
import { createRoom } from "../../http/router.ts";
import { body, errors, json } from "../../http/schema.ts";
import type { ManagementEnv } from "../deps.ts";
import { projectResponse, toProject } from "../projects/schema.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const auth = createRoom<ManagementEnv>();

const toSession = (session: service.Session) => ({
  token: session.accessToken,
  accessToken: session.accessToken,
  refreshToken: session.refreshToken,
  user: schema.toUser(session.user),
});

/** These routes are for people: the permission leaves nobody else. */
function person(c: Context<ManagementEnv>): UserActor {
  if (c.var.actor.kind !== "user") throw unauthorized();
  return c.var.actor;
}

auth.openapi(
  createRoute({
    method: "post",
    path: "/login",
    operationId: "login",
    summary: "Sign in with e-mail and password",
    tags: ["Authentication"],
    ...open,
    request: { body: body(schema.loginRequest) },
    responses: { 200: json(schema.sessionResponse, "The session"), ...errors(400, 401) },
  }),
  async (c) => c.json(toSession(await service.login(c.var.deps, c.req.valid("json"))), 200),
);

auth.openapi(
  createRoute({
    method: "post",
    path: "/refresh",
    operationId: "refreshSession",
    summary: "Exchange a refresh token for new tokens",
    tags: ["Authentication"],
    ...open,
    request: { body: body(schema.refreshRequest) },
    responses: { 200: json(schema.sessionResponse, "The new tokens"), ...errors(400, 401) },
  }),
  async (c) => {
    const { refreshToken } = c.req.valid("json");
    return c.json(toSession(await service.refresh(c.var.deps, refreshToken)), 200);
  },
);

auth.openapi(
  createRoute({
    method: "post",
    path: "/logout",
    operationId: "logout",
    summary: "End the session of the token",
    tags: ["Authentication"],
    ...access("session:own"),
    responses: { 204: { description: "The session is over" }, ...errors(400, 401, 403) },
  }),
  async (c) => {
    await service.logout(c.var.deps, person(c));
    return c.body(null, 204);
  },
);

auth.openapi(
  createRoute({
    method: "get",
    path: "/me",
    operationId: "getMe",
    summary: "The user of the token",
    tags: ["Authentication"],
    ...access("session:own"),
    responses: { 200: json(schema.userResponse, "The user"), ...errors(401, 403) },
  }),
  async (c) => c.json(schema.toUser(await service.me(c.var.deps, person(c))), 200),
);

auth.openapi(
  createRoute({
    method: "post",
    path: "/select-project",
    operationId: "selectProject",
    summary: "Work in one project from now on",
    tags: ["Authentication"],
    ...access("session:own"),
    request: { body: body(schema.selectProjectRequest) },
    responses: {
      200: json(
        schema.sessionResponse.extend({ project: projectResponse }).openapi("ProjectSession"),
        "New tokens, bound to the project",
      ),
      ...errors(400, 401, 403, 404),
    },
  }),
  async (c) => {
    const { projectId } = c.req.valid("json");
    const selected = await service.selectProject(c.var.deps, person(c), projectId);
    return c.json({ ...toSession(selected), project: toProject(selected.project) }, 200);
  },
);
