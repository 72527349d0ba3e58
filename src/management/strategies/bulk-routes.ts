import { z } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { body, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { proposeBulk, proposedResponse } from "../shared/propose.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import { bulkResultResponse, toBulkResult } from "../shared/bulk-schema.ts";
import { proposeQuery } from "../shared/propose-query.ts";
import { setRevisions } from "../shared/revision-header.ts";
import { revertingStrategies, revertStrategies } from "./bulk-revert-service.ts";
import {
  copyStrategiesRequest,
  revertStrategiesRequest,
  switchFlagsRequest,
} from "./bulk-schema.ts";
import { copyingStrategies, copyStrategies, switchFlags, switchingFlags } from "./bulk-service.ts";

/** The routes that change the strategies of many flags, mounted under `/flags`. */
export const bulkStrategies = new Router<ManagementEnv>("Strategies");

bulkStrategies.endpoint(
  "POST /bulk/strategies",
  {
    operationId: "switchFlags",
    summary: "Switch up to 200 flags on or off in one environment: all of them or none",
    ...access("strategy:write"),
    request: { query: z.object(proposeQuery), body: body(switchFlagsRequest) },
    responses: {
      200: json(bulkResultResponse, "What has changed", "X-Revision"),
      ...proposedResponse,
      ...errors(400, 401, 402, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const [call, change] = [callOfRequest(c), c.req.valid("json")];
    if (c.req.valid("query").propose) return proposeBulk(c, await switchingFlags(call, change));
    const result = await switchFlags(call, change);
    setRevisions(c, result.revisions);
    return c.json(toBulkResult(result), 200);
  },
);

bulkStrategies.endpoint(
  "POST /bulk/strategies/copy",
  {
    operationId: "copyStrategies",
    summary: "Copy the strategies of up to 200 flags to another environment: all of them or none",
    description:
      "Every flag gets the rules that it has in the source environment, as new rules. A flag that already " +
      "has the same rules is `unchanged`. `POST /api/v1/flags/bulk/strategies/revert` with the `changed` " +
      "flags undoes the copy.",
    ...access("strategy:write"),
    request: { query: z.object(proposeQuery), body: body(copyStrategiesRequest) },
    responses: {
      200: json(bulkResultResponse, "What has changed", "X-Revision"),
      ...proposedResponse,
      ...errors(400, 401, 402, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const [call, change] = [callOfRequest(c), c.req.valid("json")];
    if (c.req.valid("query").propose) return proposeBulk(c, await copyingStrategies(call, change));
    const result = await copyStrategies(call, change);
    setRevisions(c, result.revisions);
    return c.json(toBulkResult(result), 200);
  },
);

bulkStrategies.endpoint(
  "POST /bulk/strategies/revert",
  {
    operationId: "revertStrategies",
    summary:
      "Undo the last change of the strategies of up to 200 flags in one environment: of all or of none",
    description:
      "Give the `version` of each flag, so that no other change than the one you know is undone.",
    ...access("strategy:write"),
    request: { query: z.object(proposeQuery), body: body(revertStrategiesRequest) },
    responses: {
      200: json(bulkResultResponse, "What has changed", "X-Revision"),
      ...proposedResponse,
      ...errors(400, 401, 402, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const [call, change] = [callOfRequest(c), c.req.valid("json")];
    if (c.req.valid("query").propose)
      return proposeBulk(c, await revertingStrategies(call, change));
    const result = await revertStrategies(call, change);
    setRevisions(c, result.revisions);
    return c.json(toBulkResult(result), 200);
  },
);
