import { access } from "../../http/access.ts";
import { body, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as service from "./consent-service.ts";
import * as schema from "./schema.ts";

/** The routes of the page `/authorize`, which is the authorisation endpoint. */
export const consent = new Router<ManagementEnv>("Agents");

consent.endpoint(
  "POST /request",
  {
    operationId: "readAuthorization",
    summary: "Read what an OAuth client asks of the signed-in user",
    description:
      "If the client or the redirect URI is not valid, the error names `client_id` or `redirect_uri`, and " +
      "the browser must not be redirected.",
    ...access("token:own"),
    request: { body: body(schema.authorizationQuery) },
    responses: {
      200: json(schema.authorizationResponse, "What the client asks"),
      ...errors(400, 401, 403),
    },
  },
  async (c) => {
    const asked = await service.readAuthorization(callOfRequest(c), c.req.valid("json"));
    return c.json(schema.toAuthorization(asked), 200);
  },
);

consent.endpoint(
  "POST /consent",
  {
    operationId: "decideAuthorization",
    summary: "Let an OAuth client act for the signed-in user, or deny it",
    description:
      "An approval needs the current password. The client can exchange its code for tokens within a " +
      "minute. A user has at most 50 connected agents, and gets an e-mail about each.",
    ...access("token:own"),
    request: { body: body(schema.consentRequest) },
    responses: {
      200: json(schema.consentResponse, "Where the browser goes"),
      ...errors(400, 401, 402, 403),
    },
  },
  async (c) => {
    const input = c.req.valid("json");
    const redirectTo =
      input.decision === "deny"
        ? await service.denyAuthorization(callOfRequest(c), input)
        : await service.approveAuthorization(callOfRequest(c), input);
    return c.json({ redirectTo }, 200);
  },
);
