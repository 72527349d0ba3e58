import type { Verdict } from "../../core/change-requests/status.ts";
import { actorName } from "../../db/audit.ts";
import type { ReadDb } from "../../db/database.ts";
import type { Call } from "../../access/call.ts";
import type { Notice } from "../../mail/mails.ts";
import { notify } from "../../mail/notify.ts";
import {
  type RequestRow,
  emailOfAuthor,
  emailsOfReviewers,
} from "../../model/change-requests/queries.ts";
import type { ChangeRequest } from "./read-service.ts";

/** Returns the path of the page of a request, in the dashboard. */
const pageOf = ({ id, projectId }: Pick<RequestRow, "id" | "projectId">): string =>
  `/projects/${projectId}/change-requests/${id}`;

/** Tells those who may approve a new request that it waits for them. */
export function mailOpened(call: Call, db: ReadDb, request: ChangeRequest): void {
  const { id, title, approval } = request;
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
