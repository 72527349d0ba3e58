import { z } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { pathId } from "../../http/schema.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const insights = new Router<ManagementEnv>("Metrics");

insights.endpoint(
  "GET /flags/{flagId}/metrics",
  {
    operationId: "getFlagMetrics",
    summary: "Read how often a flag was true and false, and which variants it served",
    ...access("metrics:read"),
    request: { params: z.object({ flagId: pathId("flagId") }), query: schema.flagInsightsQuery },
    responses: {
      200: json(schema.flagInsightsResponse, "The series, without gaps"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const input = { ...c.req.valid("query"), ...c.req.valid("param") };
    const found = await service.flagInsights(callOfRequest(c), input);
    return c.json(schema.toFlagInsights(found), 200);
  },
);

insights.endpoint(
  "GET /metrics",
  {
    operationId: "getMetrics",
    summary: "Read how often the flags of an environment are evaluated, and which flags to remove",
    ...access("metrics:read"),
    request: { query: schema.environmentInsightsQuery },
    responses: {
      200: json(
        schema.environmentInsightsResponse,
        "The series, without gaps, with the most evaluated, never evaluated and stale flags",
      ),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const found = await service.environmentInsights(callOfRequest(c), c.req.valid("query"));
    return c.json(schema.toEnvironmentInsights(found), 200);
  },
);

insights.endpoint(
  "GET /metrics/flags",
  {
    operationId: "getUsageOfFlags",
    summary: "Read how often each of several flags was true and false per day",
    ...access("metrics:read"),
    request: { query: schema.usageOfFlagsQuery },
    responses: {
      200: json(schema.usageOfFlagsResponse, "The counts of each flag, one for each day"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const found = await service.usageOfFlags(callOfRequest(c), c.req.valid("query"));
    return c.json(schema.toUsageOfFlags(found), 200);
  },
);
