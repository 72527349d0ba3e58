import { createRoute } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { createRouter } from "../../http/router.ts";
import { contextOf } from "../context.ts";
import type { ManagementEnv } from "../deps.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const platformUsage = createRouter<ManagementEnv>();

platformUsage.openapi(
  createRoute({
    method: "get",
    path: "/",
    operationId: "getPlatformUsage",
    summary: "Read what the service has used of what Cloudflare bills",
    description:
      "The amounts of the last 30 days by the service's own counters, with the included amounts and " +
      "prices of the Workers Paid plan. An estimate: Cloudflare's bill counts.",
    tags: ["Settings"],
    ...access("settings:read"),
    responses: { 200: json(schema.platformUsageResponse, "The usage"), ...errors(401, 403) },
  }),
  async (c) => c.json(schema.toPlatformUsage(await service.getPlatformUsage(contextOf(c))), 200),
);
