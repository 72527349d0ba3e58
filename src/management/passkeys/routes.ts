import { z } from "@hono/zod-openapi";
import { access, openAtRate } from "../../http/access.ts";
import { body, empty, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { idParams } from "../../http/schema.ts";
import { sessionResponse, toSession } from "../auth/session-schema.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";
import { beginPasskeySignIn, signInWithPasskey } from "./sign-in-service.ts";

/** The routes for passkeys (Web Authentication, level 3). */
export const passkeys = new Router<ManagementEnv>("Passkeys");

passkeys.endpoint(
  "GET /",
  {
    operationId: "listPasskeys",
    summary: "List your passkeys",
    ...access("session:own"),
    responses: {
      200: json(z.array(schema.passkeyResponse), "The passkeys, oldest first"),
      ...errors(401, 403),
    },
  },
  async (c) => c.json((await service.listPasskeys(callOfRequest(c))).map(schema.toPasskey), 200),
);

passkeys.endpoint(
  "POST /options",
  {
    operationId: "beginPasskey",
    summary: "Begin to add a passkey; needs your current password",
    description:
      "Returns what the browser passes to `navigator.credentials.create`. Send its result to `POST " +
      "/api/v1/auth/passkeys` within five minutes, in the same session.",
    ...access("session:own"),
    request: { body: body(schema.addOptionsRequest) },
    responses: {
      200: json(schema.addOptionsResponse, "The options"),
      ...errors(400, 401, 402, 403),
    },
  },
  async (c) => c.json(await service.beginPasskey(callOfRequest(c), c.req.valid("json")), 200),
);

passkeys.endpoint(
  "POST /",
  {
    operationId: "addPasskey",
    summary: "Add a passkey",
    description:
      "From then on, the passkey signs in by itself, and a password alone does not. A user has at most " +
      "20 passkeys.",
    ...access("session:own"),
    request: { body: body(schema.addPasskeyRequest) },
    responses: {
      201: json(schema.passkeyResponse, "The passkey"),
      ...errors(400, 401, 402, 403, 409),
    },
  },
  async (c) =>
    c.json(schema.toPasskey(await service.addPasskey(callOfRequest(c), c.req.valid("json"))), 201),
);

// Registers these routes before `/{id}`, which would match their paths too.
passkeys.endpoint(
  "POST /sign-in/options",
  {
    operationId: "beginPasskeySignIn",
    summary: "Begin a sign-in with a passkey",
    description:
      "Returns what the browser passes to `navigator.credentials.get`. With an `mfaToken`, it lists the " +
      "passkeys of the user; otherwise the browser offers all that it has.",
    ...openAtRate("session"),
    request: { body: body(schema.signInOptionsRequest) },
    responses: { 200: json(schema.signInOptionsResponse, "The options"), ...errors(400, 401) },
  },
  async (c) => c.json(await beginPasskeySignIn(c.var.deps, c.req.valid("json")), 200),
);

passkeys.endpoint(
  "POST /sign-in",
  {
    operationId: "signInWithPasskey",
    summary: "Sign in with a passkey, or complete a sign-in that needs a second factor",
    description:
      "A passkey is two factors, so no code follows. The options work once, for five minutes. With an " +
      "`mfaToken`, the passkey must belong to the user of the token.",
    ...openAtRate("session"),
    request: { body: body(schema.signInRequest) },
    responses: { 200: json(sessionResponse, "The session"), ...errors(400, 401, 403) },
  },
  async (c) => c.json(toSession(await signInWithPasskey(c.var.deps, c.req.valid("json"))), 200),
);

passkeys.endpoint(
  "PUT /{id}",
  {
    operationId: "renamePasskey",
    summary: "Rename a passkey",
    ...access("session:own"),
    request: { params: idParams, body: body(schema.renamePasskeyRequest) },
    responses: {
      200: json(schema.passkeyResponse, "The passkey"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const input = { ...c.req.valid("param"), ...c.req.valid("json") };
    return c.json(schema.toPasskey(await service.renamePasskey(callOfRequest(c), input)), 200);
  },
);

passkeys.endpoint(
  "DELETE /{id}",
  {
    operationId: "removePasskey",
    summary: "Remove a passkey; needs your current password",
    ...access("session:own"),
    request: { params: idParams, body: body(schema.addOptionsRequest) },
    responses: { 204: empty("The passkey is removed"), ...errors(400, 401, 403, 404) },
  },
  async (c) => {
    const input = { ...c.req.valid("param"), ...c.req.valid("json") };
    await service.removePasskey(callOfRequest(c), input);
    return c.body(null, 204);
  },
);
