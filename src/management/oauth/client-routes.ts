import { z } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { body, empty, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { idParams } from "../../http/schema.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as service from "./client-service.ts";
import * as schema from "./schema.ts";

/** The routes with which administrators register OAuth clients. */
export const oauthClients = new Router<ManagementEnv>("Settings");

oauthClients.endpoint(
  "GET /",
  {
    operationId: "listOAuthClients",
    summary: "List the registered OAuth clients",
    ...access("settings:read"),
    responses: {
      200: json(z.array(schema.clientResponse), "The clients"),
      ...errors(401, 403),
    },
  },
  async (c) => c.json((await service.listClients(callOfRequest(c))).map(schema.toClient), 200),
);

oauthClients.endpoint(
  "POST /",
  {
    operationId: "createOAuthClient",
    summary: "Register an OAuth client",
    description:
      "Only for programs that publish no metadata document. The client is public: it has an id and no " +
      "secret.",
    ...access("settings:write"),
    request: { body: body(schema.createClientRequest) },
    responses: {
      201: json(schema.clientResponse, "The client"),
      ...errors(400, 401, 402, 403),
    },
  },
  async (c) => {
    const created = await service.createClient(callOfRequest(c), c.req.valid("json"));
    return c.json(schema.toClient(created), 201);
  },
);

oauthClients.endpoint(
  "DELETE /{id}",
  {
    operationId: "deleteOAuthClient",
    summary: "Delete an OAuth client, and end the access that users have given to it",
    ...access("settings:write"),
    request: { params: idParams },
    responses: { 204: empty("The client has been deleted"), ...errors(400, 401, 403, 404) },
  },
  async (c) => {
    await service.deleteClient(callOfRequest(c), c.req.valid("param"));
    return c.body(null, 204);
  },
);
