import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { etagOf } from "../http/conditional.ts";
import { body, ifMatch, json } from "../http/contract.ts";
import { errors } from "../http/error-contract.ts";
import { revertQuery, revertRequest, revertResponse, toRevertResponse } from "./audit/schema.ts";
import type { Reverted } from "./revert.ts";
import { setRevisions } from "./revision-header.ts";

/** The part of a route contract that reverts of flags, of strategies and of segments share. */
export const revertContract = <Params extends z.ZodObject>(params: Params) => ({
  ...ifMatch,
  request: { params, query: revertQuery, body: body(revertRequest) },
  responses: {
    200: json(revertResponse, "What the revert changes", "ETag", "X-Revision"),
    ...errors(400, 401, 402, 403, 404, 409, 412),
  },
});

/** Returns the response to a revert, or to the dry run of one. */
export function revertResult(c: Context, done: Reverted) {
  setRevisions(c, done.revisions);
  return c.json(toRevertResponse(done), 200, { ETag: etagOf(done.version) });
}
