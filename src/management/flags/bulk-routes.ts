import { createRoute } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { body, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { createRouter } from "../../http/router.ts";
import { callOf } from "../context.ts";
import type { ManagementEnv } from "../deps.ts";
import { setRevisions } from "../revision-header.ts";
import * as schema from "./bulk-schema.ts";
import { changeFlags } from "./bulk-service.ts";

/** The route that changes many flags, mounted under `/flags`. */
export const bulkFlags = createRouter<ManagementEnv>();

bulkFlags.openapi(
  createRoute({
    method: "post",
    path: "/bulk",
    operationId: "changeFlags",
    summary: "Archive, unarchive, tag or untag up to 200 flags of a project: all of them or none",
    tags: ["Flags"],
    ...access("flag:write"),
    request: { body: body(schema.bulkChangeRequest) },
    responses: {
      200: json(schema.bulkResultResponse, "What has changed", "X-Revision"),
      ...errors(400, 401, 402, 403, 404, 409, 412),
    },
  }),
  async (c) => {
    const result = await changeFlags(callOf(c), c.req.valid("json"));
    setRevisions(c, result.revisions);
    return c.json(schema.toBulkResult(result), 200);
  },
);
