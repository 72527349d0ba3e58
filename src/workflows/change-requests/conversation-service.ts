import type { Verdict } from "../../core/change-requests/status.ts";
import { ApiError } from "../../core/errors/api-error.ts";
import { actorName } from "../../db/audit.ts";
import { belowLimit } from "../../db/quota.ts";
import { type Call, reads, writes } from "../../access/call.ts";
import type { ById } from "../../core/lib/input.ts";
import { assertInEnvironments, type ByHash, changeIfOpen } from "./change-open.ts";
import { close } from "./lifecycle.ts";
import { mailReviewed } from "./mails.ts";
import { plansOf } from "./schedule-columns.ts";
import { isNoAuthor } from "../../model/change-requests/author-queries.ts";
import * as queries from "../../model/change-requests/queries.ts";
import { isReviewer } from "../../model/change-requests/reviewer-queries.ts";
import { type ChangeRequest, findRequest, neededApprovals, show } from "./read-service.ts";
import { missing, requestEntry, requestEvent, userIdOf } from "./audit-and-events.ts";
import { tagOf } from "./tag.ts";

/** The most comments of a request. */
const MAX_COMMENTS = 500;

/**
 * Adds the verdict of a user, which replaces an earlier one. It counts while the request keeps its
 * hash, and while the user may approve.
 * Throws: 404, 403 for an author and for a user who may not approve, 412 for another hash, 409 if the request is not open.
 */
export async function reviewRequest(
  call: Call,
  {
    verdict,
    comment = null,
    ...target
  }: ByHash & { readonly verdict: Verdict; readonly comment?: string | null | undefined },
): Promise<ChangeRequest> {
  const { db } = reads(call, "change-request:review");
  const request = await changeIfOpen(call, "change-request:review", target, async (row, read) => {
    const { actor, now } = call;
    const userId = actor.kind === "user" ? actor.id : 0;
    const at = now();
    const review = { requestId: row.id, userId, hash: row.hash, verdict, comment, at };
    const { environments } = await neededApprovals(read, row);
    const environmentIds = environments.map((one) => one.id);
    // The service has waited for the approval since `applyAt`.
    const isAwaited = verdict === "approve" && row.nextAt !== null && (row.applyAt ?? at) <= at;
    return {
      guards: [
        { holds: isNoAuthor(row.id, userId), error: ownRequest },
        { holds: isReviewer(userId, row.id, environmentIds), error: noReviewer },
      ],
      statements: [
        queries.setReview(review),
        queries.updateRequest(row.id, {
          updatedAt: at,
          ...(isAwaited && { nextAt: queries.nowIfPlanned(at) }),
        }),
      ],
      ...plansOf(row.projectId, { nextAt: isAwaited ? at : null }),
      audit: [
        requestEntry("reviewed", row, { after: { verdict, comment, hash: await tagOf(row) } }),
      ],
      events: [requestEvent("reviewed", row, { verdict, comment })],
    };
  });
  mailReviewed(call, db, { ...request, verdict, comment });
  return request;
}

const ownRequest = new ApiError(
  "FORBIDDEN",
  "Whoever has written a change request cannot review it",
);

const noReviewer = new ApiError(
  "FORBIDDEN",
  "You may not approve changes in an environment of this change request. Ask somebody who may: the " +
    "protection of the environment says who",
);

/** Closes an open request. Throws: 404, 403 for somebody else than its author or an administrator, 409. */
export async function closeRequest(call: Call, { id }: ById): Promise<ChangeRequest> {
  const ctx = await close(call, id);
  return show(ctx, await findRequest(ctx, id));
}

/**
 * Adds a comment, also to a request that is not open. Throws: 404, 403 for an API key or a limited
 * token of other environments, 402 for too many comments.
 */
export async function addComment(
  call: Call,
  { id, text }: ById & { readonly text: string },
): Promise<ChangeRequest> {
  const ctx = reads(call, "change-request:write");
  const row = await findRequest(ctx, id);
  const { commit } = writes(call, "change-request:write", row);
  await assertInEnvironments(ctx, row);
  await commit({
    guards: [
      belowLimit(
        queries.countComments(id),
        MAX_COMMENTS,
        "comments of a change request",
        "open another request to go on",
      ),
    ],
    statements: [
      queries.insertComment({
        requestId: id,
        authorName: actorName(call.actor),
        authorId: userIdOf(call.actor),
        text,
        at: call.now(),
      }),
    ],
    audit: [requestEntry("commented", row, { after: { text } })],
    onForeignKey: missing,
  });
  return show(ctx, await findRequest(ctx, id));
}
