import { z } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { empty, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { idParams } from "../../http/schema.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import { ofUser } from "../tokens/schema.ts";
import * as service from "./agent-service.ts";
import * as schema from "./schema.ts";

/** The routes with which users and administrators see and revoke the OAuth clients that act for users. */
export const agents = new Router<ManagementEnv>("Agents");

agents.endpoint(
  "GET /",
  {
    operationId: "listAgents",
    summary: "List the agents that act for you, or for another user",
    ...access("token:own"),
    request: { query: z.object({ userId: ofUser }) },
    responses: {
      200: json(z.array(schema.agentResponse), "The agents, without their tokens"),
      ...errors(400, 401, 403),
    },
  },
  async (c) => {
    const listed = await service.listAgents(callOfRequest(c), c.req.valid("query"));
    return c.json(listed.map(schema.toAgent), 200);
  },
);

agents.endpoint(
  "DELETE /{id}",
  {
    operationId: "revokeAgent",
    summary: "Revoke the access of an agent",
    description:
      "The next request with a token of the agent is 401. Administrators may also revoke the agents of " +
      "other users.",
    ...access("token:own"),
    request: { params: idParams },
    responses: { 204: empty("The access has been revoked"), ...errors(400, 401, 403, 404) },
  },
  async (c) => {
    await service.revokeAgent(callOfRequest(c), c.req.valid("param"));
    return c.body(null, 204);
  },
);
