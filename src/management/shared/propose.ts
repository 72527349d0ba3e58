import type { Context } from "hono";
import { ApiError } from "../../core/errors/api-error.ts";
import { etagOf } from "../../http/conditional.ts";
import { json } from "../../http/contract.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import type { PlanToApprove } from "../../workflows/file-approvals/plan-to-approve.ts";
import type { BulkOperations } from "../../changes/bulk.ts";
import type { Operation } from "../../changes/plan/operation.ts";
import { pathOf, requestResponse, toRequest } from "./change-request-response.ts";
import { reviewersText } from "./propose-query.ts";
import { requestForPlan } from "../../workflows/change-requests/plan-service.ts";
import type { ChangeRequest } from "../../workflows/change-requests/read-service.ts";
import { type NewRequest, openOnce } from "../../workflows/change-requests/service.ts";

/** The response of a direct change that was proposed. */
export const proposedResponse = {
  202: json(requestResponse, "With `propose=true`: the change request", "ETag", "Location"),
};

/**
 * Opens a change request with one operation, once (`openOnce`). The header `X-Change-Reason` is its
 * title. Throws: 400 without that header, and the errors of `openRequest`.
 */
export const propose = (c: Context<ManagementEnv>, operation: Operation) =>
  proposeAs(c, { operations: [operation] });

/** Opens a change request with a bulk change, as `propose` does. */
export const proposeBulk = (c: Context<ManagementEnv>, { projectId, operations }: BulkOperations) =>
  proposeAs(c, { projectId, operations, bulk: true });

async function proposeAs(c: Context<ManagementEnv>, change: Omit<NewRequest, "title">) {
  const call = callOfRequest(c);
  const title = (call.request.reason ?? "").trim();
  if (title === "")
    throw new ApiError(
      "BAD_REQUEST",
      "The header X-Change-Reason must say what the change is for; it becomes the title",
    );
  const asked = c.req.query("reviewers");
  const reviewers = asked === undefined ? undefined : reviewersText.parse(asked);
  const { request } = await openOnce(call, { title, reviewers, ...change });
  return accepted(c, request);
}

/** Opens a change request for a plan that needs an approval. Throws: the errors of `requestForPlan`. */
export const proposePlan = async (c: Context<ManagementEnv>, plan: PlanToApprove) =>
  accepted(c, await requestForPlan(callOfRequest(c), plan));

const accepted = (c: Context<ManagementEnv>, request: ChangeRequest) =>
  c.json(toRequest(request, c.var.actor), 202, {
    ETag: etagOf(request.tag),
    Location: pathOf(request),
  });
