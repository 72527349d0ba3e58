import { access } from "../../http/access.ts";
import { body, empty, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { idParams } from "../../http/schema.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const tokens = new Router<ManagementEnv>("Tokens");

tokens.endpoint(
  "GET /",
  {
    operationId: "listTokens",
    summary: "List your tokens, or those of a service account or of another user",
    description: "Revoked tokens are left out. Expired ones stay in the list for 90 days.",
    ...access("token:own"),
    request: { query: schema.tokensQuery },
    responses: {
      200: json(schema.tokensResponse, "The tokens, without the tokens themselves"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const rows = await service.listTokens(callOfRequest(c), c.req.valid("query"));
    return c.json(rows.map(schema.toToken), 200);
  },
);

tokens.endpoint(
  "GET /current",
  {
    operationId: "getCurrentToken",
    summary: "Read what the token of the request may do",
    description: "404 with the access token of a session.",
    ...access("token:read"),
    responses: {
      200: json(schema.currentTokenResponse, "The token, without the token itself"),
      ...errors(401, 403, 404),
    },
  },
  async (c) => {
    const { row, owner } = await service.currentToken(callOfRequest(c));
    return c.json({ ...schema.toToken(row), owner }, 200);
  },
);

tokens.endpoint(
  "POST /",
  {
    operationId: "createToken",
    summary: "Create a token; only this response shows the token",
    description:
      "Needs the current password of the signed-in user, also for the token of a service account. A " +
      "token cannot create tokens. An owner has at most 50 tokens that are neither revoked nor expired.",
    ...access("token:own"),
    request: { body: body(schema.createTokenRequest) },
    responses: {
      201: json(schema.createdTokenResponse, "The token"),
      ...errors(400, 401, 402, 403, 404),
    },
  },
  async (c) => {
    const { row, token } = await service.createToken(callOfRequest(c), c.req.valid("json"));
    return c.json({ ...schema.toToken(row), token }, 201);
  },
);

tokens.endpoint(
  "DELETE /{id}",
  {
    operationId: "revokeToken",
    summary: "Revoke a token",
    description:
      "The next request with the token is 401. Administrators may also revoke the tokens of other users.",
    ...access("token:own"),
    request: { params: idParams },
    responses: { 204: empty("The token has been revoked"), ...errors(400, 401, 403, 404) },
  },
  async (c) => {
    await service.revokeToken(callOfRequest(c), c.req.valid("param"));
    return c.body(null, 204);
  },
);
