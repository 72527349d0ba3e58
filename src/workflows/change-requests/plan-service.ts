import { sql } from "drizzle-orm";
import { type Call, type Reading, writes } from "../../access/call.ts";
import type { PlanToApprove } from "../file-approvals/plan-to-approve.ts";
import { repeatStale, staleRow } from "../../model/optimistic-update.ts";
import { assertInEnvironments } from "./change-open.ts";
import * as plans from "../../model/change-requests/file-plan-queries.ts";
import { isOpen } from "../../model/change-requests/open-queries.ts";
import { addAuthor } from "../../model/change-requests/author-queries.ts";
import type { RequestRow } from "../../model/change-requests/queries.ts";
import { type ChangeRequest, findRequest, show } from "./read-service.ts";
import { requestEntry } from "./audit-and-events.ts";
import { openRequest } from "./service.ts";

/**
 * Returns the open change request for a plan, and opens it if there is none, so an apply that is
 * repeated opens no second one. Whoever repeats it becomes an author, too. Throws: as `openRequest`.
 */
export function requestForPlan(call: Call, plan: PlanToApprove): Promise<ChangeRequest> {
  const { projectId, title, description, operations, fileApply, fields } = plan;
  const ctx = writes(call, "change-request:write", { projectId });
  return repeatStale(async () => {
    const id = await plans.findByPlan(ctx.db, projectId, fileApply.planId);
    if (id === undefined) {
      const proposed = { projectId, title, description, operations };
      return (await openRequest(call, proposed, { fileApply, fields })).request;
    }
    const row = await findRequest(ctx, id);
    await assertInEnvironments(ctx, row);
    await join(call, ctx, row);
    return show(ctx, row);
  });
}

/**
 * Adds the users behind the actor to the authors of a request. Throws: `staleRow` if the request was
 * changed or closed since it was read.
 */
async function join(call: Call, { db }: Reading, row: RequestRow): Promise<void> {
  const { id } = row;
  const { authors, others } = await plans.countAuthors(db, id, call.actor);
  if (others === 0) return;
  const { commit } = writes(call, "change-request:write", row);
  await commit({
    guards: [{ holds: isOpen(row), error: staleRow }],
    statements: [addAuthor(sql`${id}`, call.actor)],
    audit: [
      requestEntry("updated", row, { before: { authors }, after: { authors: authors + others } }),
    ],
  });
}
