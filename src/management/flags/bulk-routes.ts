import { z } from "@hono/zod-openapi";
import { ApiError } from "../../core/errors/api-error.ts";
import { access } from "../../http/access.ts";
import { body, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { proposeBulk, proposedResponse } from "../shared/propose.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import { proposeQuery } from "../shared/propose-query.ts";
import { setRevisions } from "../shared/revision-header.ts";
import * as schema from "./bulk-schema.ts";
import * as bulkSchema from "../shared/bulk-schema.ts";
import { changeFlags, changingFlags } from "./bulk-service.ts";

/** The route that changes many flags, mounted under `/flags`. */
export const bulkFlags = new Router<ManagementEnv>("Flags");

bulkFlags.endpoint(
  "POST /bulk",
  {
    operationId: "changeFlags",
    summary: "Archive, unarchive, tag or untag up to 200 flags of a project: all of them or none",
    ...access("flag:write"),
    request: { query: z.object(proposeQuery), body: body(schema.bulkChangeRequest) },
    responses: {
      200: json(bulkSchema.bulkResultResponse, "What has changed", "X-Revision"),
      ...proposedResponse,
      ...errors(400, 401, 402, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const call = callOfRequest(c);
    const change = c.req.valid("json");
    if (c.req.valid("query").propose) {
      if ("tag" in change)
        throw new ApiError(
          "BAD_REQUEST",
          "Tags need no approval, and a change request has none; leave out propose",
        );
      return proposeBulk(c, changingFlags(call, change));
    }
    const result = await changeFlags(call, change);
    setRevisions(c, result.revisions);
    return c.json(bulkSchema.toBulkResult(result), 200);
  },
);
