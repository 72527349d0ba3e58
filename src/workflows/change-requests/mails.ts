import type { Verdict } from "../../core/change-requests/status.ts";
import { actorName } from "../../db/audit.ts";
import type { ReadDb } from "../../db/database.ts";
import type { Call } from "../../access/call.ts";
import type { Notice } from "../../mail/mails.ts";
import { notify } from "../../mail/notify.ts";
import { type RequestRow, emailOfAuthor } from "../../model/change-requests/queries.ts";
import { emailsOf, emailsOfReviewers } from "../../model/change-requests/reviewer-queries.ts";
import { userIdOf } from "./audit-and-events.ts";
import type { ChangeRequest } from "./read-service.ts";

/** Returns the path of the page of a request, in the dashboard. */
const pageOf = ({ id, projectId }: Pick<RequestRow, "id" | "projectId">): string =>
  `/projects/${projectId}/change-requests/${id}`;

/**
 * Tells those who may approve a new request that it waits for them, and those who were asked to review it
 * that they were.
 */
export function mailOpened(call: Call, db: ReadDb, request: ChangeRequest): void {
  const { id, title, approval, reviewers } = request;
  const asked = reviewers.map(({ userId }) => userId);
  mailAsked(call, db, request, asked);
  if (approval.required === 0) return;
  const environments = approval.environments.map(({ name }) => name).join(", ");
  const ids = approval.environments.map((one) => one.id);
  notify(call, () => emailsOfReviewers(db, id, ids), {
    subject: `Change request: ${title}`,
    what: `${actorName(call.actor)} proposes a change of ${environments}, and you may approve it:`,
    path: pageOf(request),
    more: title,
  });
}

/** Tells people that they were asked to review a request, apart from the caller. */
export function mailAsked(
  call: Call,
  db: ReadDb,
  request: RequestRow,
  userIds: readonly number[],
): void {
  const { title } = request;
  const own = userIdOf(call.actor);
  const others = userIds.filter((one) => one !== own);
  if (others.length === 0) return;
  notify(call, () => emailsOf(db, others), {
    subject: `You were asked to review: ${title}`,
    what: `${actorName(call.actor)} asks you to review a change request:`,
    path: pageOf(request),
    more: title,
  });
}

interface Reviewed {
  readonly verdict: Verdict;
  readonly comment: string | null;
}

export function mailReviewed(call: Call, db: ReadDb, request: RequestRow & Reviewed): void {
  const { authorKind, authorId, title, verdict, comment } = request;
  if (authorKind !== "user" || authorId === null) return;
  const done = verdict === "approve" ? "approved" : "rejected";
  notify(call, () => emailOfAuthor(db, request), {
    subject: `Change request ${done}: ${title}`,
    what: `${actorName(call.actor)} has ${done} your change request:`,
    path: pageOf(request),
    more: comment ?? title,
  });
}

/** The message to the author of a request whose schedule the service has given up. */
export const stoppedNotice = (
  request: RequestRow,
  as: "outdated" | "blocked",
  reason: string,
): Notice => ({
  subject: `Scheduled change request ${as}: ${request.title}`,
  what: `The service does not apply your change request "${request.title}" at its time:`,
  path: pageOf(request),
  more: reason,
});
