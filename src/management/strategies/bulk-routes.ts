import { createRoute } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { body, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { createRouter } from "../../http/router.ts";
import { contextOf } from "../context.ts";
import type { ManagementEnv } from "../deps.ts";
import { bulkResultResponse, toBulkResult } from "../flags/bulk-schema.ts";
import { setRevisions } from "../revision-header.ts";
import { switchFlagsRequest } from "./bulk-schema.ts";
import { switchFlags } from "./bulk-service.ts";

/** The route that switches many flags, mounted under `/flags`. */
export const bulkStrategies = createRouter<ManagementEnv>();

bulkStrategies.openapi(
  createRoute({
    method: "post",
    path: "/bulk/strategies",
    operationId: "switchFlags",
    summary: "Switch up to 200 flags on or off in one environment: all of them or none",
    tags: ["Strategies"],
    ...access("strategy:write"),
    request: { body: body(switchFlagsRequest) },
    responses: {
      200: json(bulkResultResponse, "What has changed", "X-Revision"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  }),
  async (c) => {
    const result = await switchFlags(contextOf(c), c.req.valid("json"));
    setRevisions(c, result.revisions);
    return c.json(toBulkResult(result), 200);
  },
);
