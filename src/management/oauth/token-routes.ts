import { type z } from "@hono/zod-openapi";
import { OAuthError } from "../../core/oauth/oauth-error.ts";
import { openAtRate } from "../../http/access.ts";
import { empty, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { apiErrorBody, errorResponse } from "../../http/error-response.ts";
import { FORM_TYPE } from "../../http/content-type.ts";
import { bodyText, FORM_LIMITS } from "../../http/request-limits.ts";
import { Router } from "../../http/router.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./schema.ts";
import * as service from "./token-service.ts";

/** The routes that OAuth clients call. Their requests and errors have the form of RFC 6749 and 7009. */
export const oauthTokens = new Router<ManagementEnv>("Agents");

const form = <T extends z.ZodType>(of: T) => ({
  required: true,
  content: { [FORM_TYPE]: { schema: of } },
});

/** Adds the code and the trace id of this API to the body of a 400, as clients ignore what they do not know. */
oauthTokens.onError((error, c) =>
  errorResponse(error, c, (shown, traceId) =>
    shown.status === 400
      ? {
          error: shown instanceof OAuthError ? shown.oauthCode : "invalid_request",
          error_description: shown.message,
          code: shown.code,
          traceId,
        }
      : apiErrorBody(shown, traceId),
  ),
);

const refused = json(schema.oauthErrorResponse, "The error, as in RFC 6749");

oauthTokens.endpoint(
  "POST /token",
  {
    operationId: "exchangeOAuthToken",
    summary: "Exchange an authorisation code or a refresh token for tokens",
    description:
      "The token endpoint of OAuth, for public clients with PKCE. The access token lives for an hour, and " +
      "works only at the MCP endpoint.",
    ...openAtRate("session", FORM_LIMITS),
    request: { body: form(schema.tokenForm) },
    responses: { 200: json(schema.tokenResponse, "The tokens"), ...errors(503), 400: refused },
  },
  async (c) => {
    const tokens = await service.exchange(c.var.deps, { form: await bodyText(c) });
    return c.json(schema.toTokenResponse(tokens), 200);
  },
);

oauthTokens.endpoint(
  "POST /revoke",
  {
    operationId: "revokeOAuthToken",
    summary: "Revoke the tokens of an OAuth client",
    description:
      "The revocation endpoint of OAuth (RFC 7009). An access token or a refresh token ends the whole " +
      "grant. An unknown token is a success, too.",
    ...openAtRate("session", FORM_LIMITS),
    request: { body: form(schema.revocationForm) },
    responses: { 200: empty("The tokens do not work any more"), ...errors(503), 400: refused },
  },
  async (c) => {
    await service.revoke(c.var.deps, { form: await bodyText(c) });
    return c.body(null, 200);
  },
);
