import { access } from "../../http/access.ts";
import { json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./schema.ts";
import { listPlanned } from "./service.ts";

export const schedule = new Router<ManagementEnv>("Change requests");

schedule.endpoint(
  "GET /",
  {
    operationId: "listSchedule",
    summary: "List what the service will change, in the order of time",
    description:
      "Open change requests with `applyAt`, and the next step of each ramp. A change request that the service has " +
      "given up stays in the list, with `blockedBy`.",
    ...access("change-request:read"),
    request: { query: schema.listQuery },
    responses: { 200: json(schema.pageResponse, "What is planned"), ...errors(400, 401, 403) },
  },
  async (c) => {
    const query = c.req.valid("query");
    return c.json(schema.toPlannedPage(await listPlanned(callOfRequest(c), query), query), 200);
  },
);
