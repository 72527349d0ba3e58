import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { etagOf, ifMatchVersions } from "../../http/conditional.ts";
import { body, ifMatch, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { revertQuery, revertRequest, revertResponse, toRevertResponse } from "./revert-schema.ts";
import { propose, proposedResponse } from "./propose.ts";
import { type Call, callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import type { Operation } from "../../changes/plan/operation.ts";
import type { Revert, Reverted } from "../../changes/revert.ts";
import { setRevisions } from "./revision-header.ts";

/** The `ETag` of a resource that a dry run would create: versions start at 1. */
const NOT_CREATED = 0;

/** The part of a route contract that reverts of flags, of strategies and of segments share. */
export const revertContract = <Params extends z.ZodObject>(params: Params) => ({
  ...ifMatch,
  request: { params, query: revertQuery, body: body(revertRequest) },
  responses: {
    200: json(revertResponse, "What the revert changes", "ETag", "X-Revision"),
    ...proposedResponse,
    ...errors(400, 401, 402, 403, 404, 409, 412),
  },
});

interface Asked extends Omit<Revert, "ifMatch"> {
  readonly propose?: boolean | undefined;
}

interface Verbs {
  readonly revert: (call: Call, revert: Revert) => Promise<Reverted>;
  /** Returns the operation of the revert, for a change request. */
  readonly reverting: (call: Call, revert: Revert) => Promise<Operation>;
}

/** Reverts, or proposes that, or plans it in a dry run. Returns the response. */
export async function revertResult(
  c: Context<ManagementEnv>,
  { propose: isProposed = false, ...asked }: Asked,
  { revert, reverting }: Verbs,
) {
  const call = callOfRequest(c);
  const wanted = { ...asked, ifMatch: ifMatchVersions(c) };
  if (isProposed && !wanted.dryRun) return propose(c, await reverting(call, wanted));
  const done = await revert(call, wanted);
  setRevisions(c, done.revisions);
  return c.json(toRevertResponse(done), 200, { ETag: etagOf(done.version ?? NOT_CREATED) });
}
