import { sql } from "drizzle-orm";
import { type Call, reads } from "../../access/call.ts";
import { visibleProject } from "../../access/scope.ts";
import type { ById } from "../../core/lib/input.ts";
import { belowLimit } from "../../db/quota.ts";
import {
  addReviewers,
  allCanBeAsked,
  type Asking,
  countOtherReviewers,
  listCandidates,
  removeReviewers,
  type ReviewerRow,
} from "../../model/change-requests/reviewer-queries.ts";
import { notReviewers, requestEntry, requestEvent } from "./audit-and-events.ts";
import { changeIfOpen } from "./change-open.ts";
import { mailAsked } from "./mails.ts";
import { type ChangeRequest, neededApprovals } from "./read-service.ts";

/** The most people who are asked to review a request. */
export const MAX_REVIEWERS = 10;

/** Returns the people who may be asked to review a request, sorted by name. Throws: 404 for a hidden project. */
export function listReviewers(
  call: Call,
  asked: Pick<Asking, "projectId" | "environmentIds" | "requestId">,
): Promise<ReviewerRow[]> {
  const { db, actor } = reads(call, "user:read-names");
  const projectId = visibleProject(actor, asked.projectId);
  return listCandidates(db, { ...asked, projectId, actor });
}

interface Asked extends ById {
  readonly add: readonly number[];
  readonly remove: readonly number[];
}

/**
 * Asks people to review an open request, and takes back that others are asked. Both keep what others do at the same
 * time. Throws: 404, 409 if the request is not open, 400 for users who may not review it, 402 for more than
 * `MAX_REVIEWERS`, 403 for a token of other environments.
 */
export async function askReviewers(call: Call, { id, add, remove }: Asked): Promise<ChangeRequest> {
  const { db } = reads(call, "change-request:write");
  const target = { id, ifMatch: undefined };
  let added: readonly number[] = [];
  const request = await changeIfOpen(call, "change-request:write", target, async (row, read) => {
    const { environments } = await neededApprovals(read, row);
    const environmentIds = environments.map((one) => one.id);
    const asking = { projectId: row.projectId, environmentIds, requestId: id, actor: call.actor };
    const before = new Set(row.reviewers.map(({ userId }) => userId));
    added = add.filter((one) => !before.has(one));
    return {
      guards: [
        { holds: allCanBeAsked(add, asking), error: notReviewers("add") },
        belowLimit(
          sql`${countOtherReviewers(asking, [...add, ...remove])} + ${add.length} - 1`,
          MAX_REVIEWERS,
          "reviewers of a change request",
          "remove one first",
        ),
      ],
      statements: [removeReviewers(id, remove), addReviewers(sql`${id}`, add)],
      // Only what this call asks for, because another call can change the reviewers at the same time.
      audit: [
        requestEntry("review-requested", row, {
          before: { reviewers: remove.filter((one) => before.has(one)) },
          after: { reviewers: add },
        }),
      ],
      events: added.length > 0 ? [requestEvent("review-requested", row, { reviewers: added })] : [],
    };
  });
  mailAsked(call, db, request, added);
  return request;
}
