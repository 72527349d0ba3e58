import { z } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { empty, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as service from "./identity-service.ts";
import * as schema from "./schema.ts";

/** The routes for the accounts that are linked to the signed-in user. */
export const identities = new Router<ManagementEnv>("Account");

identities.endpoint(
  "GET /",
  {
    operationId: "listOwnIdentities",
    summary: "List the accounts at identity providers with which you can sign in",
    ...access("session:own"),
    responses: {
      200: json(z.array(schema.identityResponse), "The accounts, oldest first"),
      ...errors(401, 403),
    },
  },
  async (c) =>
    c.json((await service.listOwnIdentities(callOfRequest(c))).map(schema.toIdentity), 200),
);

identities.endpoint(
  "DELETE /{identityId}",
  {
    operationId: "unlinkIdentity",
    summary: "Unlink an account, unless you could not sign in without it",
    ...access("session:own"),
    request: { params: schema.identityParams },
    responses: { 204: empty("The account is unlinked"), ...errors(400, 401, 403, 404, 409) },
  },
  async (c) => {
    await service.unlinkIdentity(callOfRequest(c), c.req.valid("param"));
    return c.body(null, 204);
  },
);
