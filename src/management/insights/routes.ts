import { createRoute, z } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { createRoom } from "../../http/router.ts";
import { pathId } from "../../http/schema.ts";
import type { ManagementEnv } from "../deps.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const metrics = createRoom<ManagementEnv>();
const tags = ["Metrics"];

metrics.openapi(
  createRoute({
    method: "get",
    path: "/flags/{flagId}/metrics",
    operationId: "getFlagMetrics",
    summary: "Read how often a flag was true and false",
    tags,
    ...access("metrics:read"),
    request: { params: z.object({ flagId: pathId("flagId") }), query: schema.flagMetricsQuery },
    responses: {
      200: json(schema.flagMetricsResponse, "The series, without gaps"),
      ...errors(400, 401, 403, 404),
    },
  }),
  async (c) => {
    const { deps, actor } = c.var;
    const { flagId } = c.req.valid("param");
    const found = await service.flagMetrics(deps, actor, flagId, c.req.valid("query"));
    return c.json(schema.toFlagMetrics(found), 200);
  },
);

metrics.openapi(
  createRoute({
    method: "get",
    path: "/metrics",
    operationId: "getMetrics",
    summary: "Read what is evaluated in an environment, and which flags could go",
    tags,
    ...access("metrics:read"),
    request: { query: schema.metricsQuery },
    responses: {
      200: json(schema.metricsResponse, "The series, without gaps, and the flags that stand out"),
      ...errors(400, 401, 403, 404),
    },
  }),
  async (c) => {
    const { deps, actor } = c.var;
    const { environmentId, ...asked } = c.req.valid("query");
    const found = await service.environmentMetrics(deps, actor, environmentId, asked);
    return c.json(schema.toMetrics(found), 200);
  },
);
