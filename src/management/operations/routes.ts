import { access } from "../../http/access.ts";
import { body, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import { setRevisions } from "../shared/revision-header.ts";
import * as schema from "./schema.ts";
import { runOperations } from "./service.ts";

export const operations = new Router<ManagementEnv>("Lists of operations");

operations.endpoint(
  "POST /",
  {
    operationId: "runOperations",
    summary: "Make up to 200 changes of a project in one transaction: all of them or none",
    description:
      "Each operation sees the results of the operations before it. So a list can create a segment, a flag, " +
      "and a strategy that uses both. Rules about the result, such as that no flag requires an archived flag, " +
      "count at the end of the list. The error of a refused list names the operations, such as `operations.3`.",
    ...access("flag:write"),
    request: { body: body(schema.operationsRequest) },
    responses: {
      200: json(schema.operationsResponse, "What has changed, or would change", "X-Revision"),
      ...errors(400, 401, 402, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const { projectId, operations: requested, dryRun } = c.req.valid("json");
    const list = requested.map((one) => schema.toOperation(projectId, one));
    const result = await runOperations(callOfRequest(c), { projectId, operations: list, dryRun });
    setRevisions(c, result.revisions);
    return c.json(schema.toOperationsResult(result), 200);
  },
);
