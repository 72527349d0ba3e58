import { type Actor, isHidden, roleIn } from "@feature-flags/permissions/permissions";
import { ApiError, conflict } from "../../core/errors/api-error.ts";
import { DAY_MS } from "../../core/lib/time.ts";
import { iso } from "../../http/schema.ts";
import { plannedActor } from "../../access/identify.ts";
import { type Call, reads, writes } from "../../access/call.ts";
import type { Notice } from "../../mail/mails.ts";
import { staleRow } from "../../model/optimistic-update.ts";
import { apply, readApplicable } from "./apply.ts";
import { commitIfOpen } from "./change-open.ts";
import { stoppedNotice } from "./mails.ts";
import { notYet } from "./dependencies.ts";
import { deleteFields } from "../../model/change-requests/file-plan-queries.ts";
import { isPlanned } from "../../model/change-requests/open-queries.ts";
import * as queries from "../../model/change-requests/queries.ts";
import type { RequestRow } from "../../model/change-requests/queries.ts";
import { show } from "./read-service.ts";
import { closed, requestEntry, requestEvent, missing, notOpen } from "./audit-and-events.ts";
import { tagOf } from "./tag.ts";

/** Closes an open request, as `closeRequest` does. Returns what a function needs to read it. */
export const close = (call: Call, id: number) =>
  commitIfOpen(call, "change-request:write", { id, ifMatch: undefined }, (row) => {
    const { actor, now } = call;
    const isAuthor =
      actor.kind === row.authorKind && actor.kind !== "system" && actor.id === row.authorId;
    const isInCharge =
      actor.kind === "system" ||
      (actor.kind === "user" && roleIn(actor, row.projectId) === "ADMIN");
    if (!isAuthor && !isInCharge)
      throw new ApiError(
        "FORBIDDEN",
        "Only the author and administrators can close a change request",
      );
    return {
      statements: [
        queries.updateRequest(row.id, closed("closed", actor, now())),
        ...(row.fileApply ? [deleteFields(row.id)] : []),
      ],
      audit: [
        requestEntry("closed", row, { before: { state: "open" }, after: { state: "closed" } }),
      ],
      events: [requestEvent("closed", row)],
    };
  });

/** The most requests that one run of the job closes. Each takes about ten statements. */
const MAX_IDLE = 20;

/** After how long without a change an open request is closed, milliseconds. */
const IDLE_MS = 30 * DAY_MS;

/** Closes requests that nobody has changed for 30 days. The actor is the service. */
export async function closeIdleRequests(call: Call): Promise<void> {
  const { db } = reads(call, "change-request:write");
  for (const { id } of await queries.findIdle(db, call.now() - IDLE_MS, MAX_IDLE))
    await close(call, id);
}

/** A request that the service looks at, because the time for it has come. */
export interface PlannedRequest extends RequestRow {
  readonly applyAt: number;
  readonly latestAt: number;
  readonly nextAt: number;
}

/** Returns a request if the service must look at it at this time; undefined otherwise. */
export async function findPlannedRequest(
  call: Call,
  { id, at }: { readonly id: number; readonly at: number },
): Promise<PlannedRequest | undefined> {
  const { db } = reads(call, "change-request:read");
  const row = await queries.findRequest(db, id);
  if (!row || row.state !== "open" || row.nextAt !== at) return undefined;
  const { applyAt, latestAt } = row;
  return applyAt === null || latestAt === null
    ? undefined
    : { ...row, applyAt, latestAt, nextAt: at };
}

/** Returns in whose name the service applies a request, with the rights of now. Throws: 403. */
export async function schedulerOf(call: Call, request: PlannedRequest): Promise<Actor> {
  const { db, now } = reads(call, "change-request:read");
  const { schedulerKind: kind, schedulerId: id } = request;
  const actor = await plannedActor(db, { kind, id }, now());
  if (!actor)
    throw new ApiError(
      "FORBIDDEN",
      `The ${kind} that has scheduled the change request is not active any more; schedule it again`,
    );
  if (isHidden(actor, request.projectId))
    throw new ApiError(
      "FORBIDDEN",
      "The user who has scheduled the change request may not see the project any more; schedule it again",
    );
  return actor;
}

/** Checks before its time that a request can still be applied. Throws: 409, `OUTDATED`. */
export async function checkPlannedRequest(call: Call, request: PlannedRequest): Promise<void> {
  await readApplicable(reads(call, "change-request:read"), request);
}

/**
 * Applies a request in its time. Returns false if it is not open any more, or has changed since it was
 * read. Throws: the errors of `applyRequest`.
 */
export async function applyPlannedRequest(
  call: Call,
  { request, by }: { readonly request: PlannedRequest; readonly by: Actor },
): Promise<boolean> {
  reads(call, "change-request:write");
  try {
    await apply(call, { id: request.id, ifMatch: [await tagOf(request)], by });
    return true;
  } catch (error) {
    const isChanged = error instanceof ApiError && error.status === 412;
    if (error === missing || error === notOpen || isChanged) return false;
    throw error === notYet ? staleRow : error;
  }
}

/** Returns the error of a request that was not applied in its time. */
export async function expiryOf(call: Call, request: PlannedRequest): Promise<ApiError> {
  const ctx = reads(call, "change-request:read");
  const { status } = await show(ctx, request);
  const until = `until ${iso(request.latestAt)}`;
  if (status === "needs-approval") return conflict(`The change request was not approved ${until}`);
  if (status === "rejected") return conflict(`The change request was rejected ${until}`);
  return conflict(`The service could not apply the change request ${until}`);
}

interface Stop {
  readonly request: PlannedRequest;
  readonly as: "outdated" | "blocked";
  readonly reason: string;
}

/** The error of a request that was changed, applied or closed since it was read. */
const moved = conflict("The change request is not planned as it was");

/**
 * Gives up the schedule of a request until somebody changes it. Returns the messages to its author;
 * none if the request has changed since it was read.
 */
export async function stopPlannedRequest(
  call: Call,
  { request, as, reason }: Stop,
): Promise<readonly { readonly to: string; readonly notice: Notice }[]> {
  const { commit, db, now } = writes(call, "change-request:write", request);
  try {
    await commit({
      guards: [{ holds: isPlanned(request, request.nextAt), error: moved }],
      statements: [
        queries.updateRequest(request.id, { nextAt: null, blockedBy: reason, updatedAt: now() }),
      ],
      audit: [
        requestEntry(as, request, { before: { blockedBy: null }, after: { blockedBy: reason } }),
      ],
      events: [requestEvent(as, request, { reason })],
    });
  } catch (error) {
    if (error === moved) return [];
    throw error;
  }
  const { authorKind, authorId } = request;
  const authors =
    authorKind === "user" && authorId !== null ? await queries.emailOfAuthor(db, request) : [];
  return authors.map(({ email }) => ({ to: email, notice: stoppedNotice(request, as, reason) }));
}
