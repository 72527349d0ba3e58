import { conflict, invalid, notFound, preconditionFailed } from "../../core/errors/api-error.ts";
import { actorName, type AuditEntry } from "../../db/audit.ts";
import type { DomainEvent } from "../../db/outbox.ts";
import type { Call } from "../../access/call.ts";
import type { RequestRow } from "../../model/change-requests/queries.ts";
import { tagOf } from "./tag.ts";

export const missing = notFound("The change request does not exist");
export const notOpen = conflict("The change request is not open any more");

/** The error for users in a field of the body who may not review the request. */
export const notReviewers = (field: string) =>
  invalid([
    {
      field,
      message: "must be users who may approve the change request and have not written or edited it",
    },
  ]);

/** Throws: 409 if the request is not open, 412 if it has another tag. */
export async function assertOpen(
  row: RequestRow,
  ifMatch: readonly string[] | undefined,
): Promise<void> {
  if (row.state !== "open") throw notOpen;
  if (ifMatch && !ifMatch.includes(await tagOf(row))) throw preconditionFailed();
}

/** The error for an operation whose target does not exist any more. */
export const blocked = (n: number) =>
  conflict(`The target of operations.${n} does not exist any more; close the change request`);

/** Returns the columns of a request that is not open any more. */
export const closed = (state: "applied" | "closed", actor: Call["actor"], now: number) => ({
  state,
  closedAt: now,
  closedBy: actorName(actor),
  closedById: userIdOf(actor),
  nextAt: null,
  updatedAt: now,
});

/** Returns the id of the user who acts. Null for other actors. */
export const userIdOf = (actor: Call["actor"]): number | null =>
  actor.kind === "user" ? actor.id : null;

interface Described {
  /** The id, or for a new request the expression that finds it. */
  readonly id: DomainEvent["entityId"];
  readonly projectId: number;
}

export const requestEntry = (
  action:
    | "opened"
    | "updated"
    | "review-requested"
    | "reviewed"
    | "commented"
    | "applied"
    | "outdated"
    | "blocked"
    | "closed",
  { id, projectId }: Described,
  content: Pick<AuditEntry, "before" | "after">,
): AuditEntry => ({
  action: `change-request.${action}`,
  entityType: "change-request",
  entityId: id,
  projectId,
  ...content,
});

export const requestEvent = (
  action:
    | "opened"
    | "review-requested"
    | "reviewed"
    | "applied"
    | "outdated"
    | "blocked"
    | "closed",
  { id, projectId, title }: Described & { readonly title: string },
  data: DomainEvent["data"] = {},
): DomainEvent => ({
  type: `change-request.${action}`,
  projectId,
  entityId: id,
  data: { changeRequest: { title }, ...data },
});
