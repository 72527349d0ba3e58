import { z } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { ifMatchVersions, etagOf } from "../../http/conditional.ts";
import { body, ifMatch, json, listResponse } from "../../http/contract.ts";
import { sliced, sliceQuery } from "../../http/paging.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { propose, proposedResponse } from "../shared/propose.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import { callOfRequest } from "../../access/call.ts";
import { revertContract, revertResult } from "../shared/revert-route.ts";
import { setRevisions } from "../shared/revision-header.ts";
import { revertingStrategy, revertStrategy } from "./revert-service.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

/**
 * The routes of strategies, mounted under `/flags`. A flag has one strategy in each environment.
 */
export const strategies = new Router<ManagementEnv>("Strategies");

strategies.endpoint(
  "GET /{flagId}/strategies",
  {
    operationId: "listStrategies",
    summary: "List the strategies of a flag, one per environment",
    ...access("strategy:read"),
    request: { params: schema.flagParams, query: z.object(sliceQuery) },
    responses: {
      200: listResponse(schema.strategyResponse, "The strategies"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const { flagId } = c.req.valid("param");
    const rows = await service.listStrategies(callOfRequest(c), { flagId });
    return c.json(sliced(c, rows, c.req.valid("query")).map(schema.toStrategy), 200);
  },
);

strategies.endpoint(
  "GET /{flagId}/strategies/{environmentId}",
  {
    operationId: "getStrategy",
    summary: "Get the strategy of a flag in one environment",
    ...access("strategy:read"),
    request: { params: schema.strategyParams },
    responses: {
      200: json(schema.strategyResponse, "The strategy", "ETag"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const row = await service.getStrategy(callOfRequest(c), c.req.valid("param"));
    c.header("ETag", etagOf(row.version));
    return c.json(schema.toStrategy(row), 200);
  },
);

strategies.endpoint(
  "PUT /{flagId}/strategies",
  {
    operationId: "setStrategy",
    summary: "Set the strategy of a flag in one environment",
    ...access("strategy:write"),
    ...ifMatch,
    request: {
      params: schema.flagParams,
      query: schema.setStrategyQuery,
      body: body(schema.setStrategyRequest),
    },
    responses: {
      200: json(schema.setStrategyResponse, "The strategy", "ETag", "X-Revision"),
      ...proposedResponse,
      ...errors(400, 401, 402, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const { flagId } = c.req.valid("param");
    const { environmentId, ...change } = c.req.valid("json");
    const query = c.req.valid("query");
    const input = { flagId, environmentId, change, ifMatch: ifMatchVersions(c), ...query };
    if (query.propose && !query.dryRun) return propose(c, service.settingStrategy(input));
    const { row, revisions, moves } = await service.setStrategy(callOfRequest(c), input);
    setRevisions(c, revisions);
    c.header("ETag", etagOf(row.version));
    return c.json({ ...schema.toStrategy(row), ...(moves !== undefined && { moves }) }, 200);
  },
);

strategies.endpoint(
  "POST /{flagId}/strategies/revert",
  {
    operationId: "revertStrategy",
    summary: "Restore a strategy as it was before an audit record",
    description:
      "Undoes the change of the record, and all later changes of the strategy in the same environment. The " +
      "response of a dry run is the preview.",
    ...access("strategy:write"),
    ...revertContract(schema.flagParams),
  },
  async (c) => {
    const { flagId: id } = c.req.valid("param");
    const input = { id, ...c.req.valid("json"), ...c.req.valid("query") };
    return revertResult(c, input, { revert: revertStrategy, reverting: revertingStrategy });
  },
);
