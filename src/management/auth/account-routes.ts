import { access, openAtRate } from "../../http/access.ts";
import { ifMatchVersions, etagOf } from "../../http/conditional.ts";
import { body, empty, ifMatch, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as account from "./account-service.ts";
import * as schema from "./schema.ts";
import * as sessionSchema from "./session-schema.ts";

/**
 * The routes for the signed-in user's own account, and for links in invitation and password reset e-mails.
 */
export const accounts = new Router<ManagementEnv>("Account");

accounts.endpoint(
  "GET /me",
  {
    operationId: "getMe",
    summary: "Read your own account",
    ...access("session:own"),
    responses: {
      200: json(schema.ownAccountResponse, "The user", "ETag"),
      ...errors(401, 403),
    },
  },
  async (c) => {
    const found = await account.me(callOfRequest(c));
    c.header("ETag", etagOf(found.user.version));
    return c.json(schema.toOwnAccount(found), 200);
  },
);

accounts.endpoint(
  "PUT /me",
  {
    operationId: "updateMe",
    summary: "Change your name, locale, avatar or password",
    ...access("session:own"),
    ...ifMatch,
    request: { body: body(schema.updateMeRequest) },
    responses: {
      200: json(schema.ownAccountResponse, "The user", "ETag"),
      ...errors(400, 401, 403, 409, 412),
    },
  },
  async (c) => {
    const input = { ...c.req.valid("json"), ifMatch: ifMatchVersions(c) };
    const found = await account.updateMe(callOfRequest(c), input);
    c.header("ETag", etagOf(found.user.version));
    return c.json(schema.toOwnAccount(found), 200);
  },
);

accounts.endpoint(
  "POST /forgot-password",
  {
    operationId: "forgotPassword",
    summary: "Request an e-mail with a link to reset the password",
    ...openAtRate("link"),
    request: { body: body(schema.forgotPasswordRequest) },
    responses: {
      202: empty(
        "If the user exists, the e-mail will be sent, at most once a minute and five times an hour. " +
          "The response is the same if not. Earlier links stay valid until one is used.",
      ),
      ...errors(400),
    },
  },
  (c) => {
    account.forgotPassword(c.var.deps, c.req.valid("json"));
    return c.body(null, 202);
  },
);

accounts.endpoint(
  "POST /reset-password",
  {
    operationId: "resetPassword",
    summary: "Set a new password; ends all sessions of the user",
    ...openAtRate("link"),
    request: { body: body(schema.resetPasswordRequest) },
    responses: {
      200: json(
        sessionSchema.resetResponse,
        "The user, and a token for the next login on this device",
      ),
      ...errors(400, 401, 403),
    },
  },
  async (c) => {
    const { user, deviceToken } = await account.resetPassword(c.var.deps, c.req.valid("json"));
    return c.json({ ...schema.toUser(user), deviceToken }, 200);
  },
);

accounts.endpoint(
  "POST /invitation",
  {
    operationId: "readInvitation",
    summary: "Read an invitation with the token of its link: who invites, and with which role",
    description: "The link stays valid. A POST request, so that no log contains the token.",
    ...openAtRate("link"),
    request: { body: body(schema.readInvitationRequest) },
    responses: {
      200: json(schema.invitationResponse, "The invitation"),
      ...errors(400, 401),
    },
  },
  async (c) => c.json(await account.readInvitation(c.var.deps, c.req.valid("json")), 200),
);

accounts.endpoint(
  "POST /accept-invite",
  {
    operationId: "acceptInvite",
    summary: "Accept an invitation: set a password and sign in",
    ...openAtRate("link"),
    request: { body: body(schema.acceptInviteRequest) },
    responses: {
      200: json(sessionSchema.sessionResponse, "The session"),
      ...errors(400, 401, 403),
    },
  },
  async (c) => {
    const session = await account.acceptInvitation(c.var.deps, c.req.valid("json"));
    return c.json(sessionSchema.toSession(session), 200);
  },
);
