import { authorized, type Call } from "../context.ts";
import type { Operation } from "../operations/operation.ts";
import * as queries from "./queries.ts";
import { type ChangeRequest, findRequest, show } from "./read-service.ts";
import { openRequest } from "./service.ts";

/** The operations of a plan that needs an approval. */
export interface PlanToApprove {
  readonly projectId: number;
  readonly title: string;
  /** Says which plan it is. Requests for the same plan have the same description. */
  readonly description: string;
  readonly operations: readonly Operation[];
}

/**
 * Returns the open change request for a plan, and opens it if there is none. So an apply that is
 * repeated opens no second one. Throws: as `openRequest`.
 */
export async function requestForPlan(call: Call, plan: PlanToApprove): Promise<ChangeRequest> {
  const { projectId, description } = plan;
  const ctx = authorized(call, "change-request:write", { projectId });
  const id = await queries.findOpen(ctx.db, projectId, description);
  return id === undefined ? openRequest(call, plan) : show(ctx, await findRequest(ctx, id));
}
