import { type Actor, allows } from "@feature-flags/permissions/permissions";
import { type RequestStatus, statusOf, type Verdict } from "../../core/change-requests/status.ts";
import type { Content } from "../../core/audit/changed-fields.ts";
import { invalid } from "../../core/errors/api-error.ts";
import { isFreeTurnOff } from "../../core/protection/policy.ts";
import type { ReadDb } from "../../db/database.ts";
import type { PageRequest } from "../../http/paging.ts";
import { type Call, type Reading, reads } from "../../access/call.ts";
import type { ById } from "../../core/lib/input.ts";
import { readRestrictions, storedNeedsApproval } from "../../changes/restrictions.ts";
import { inScope, listedProjects } from "../../access/scope.ts";
import { targetContent, readCurrent, targetOf } from "./targets.ts";
import type { RequestOperation } from "../../model/change-requests/operations.ts";
import { withResult, earlierOf } from "./dependencies.ts";
import { type ListedStatus, MAX_BYTES, statusesOf } from "./list-status.ts";
import {
  type FlagOperation,
  findOperations,
  findOperationsOfFlag,
} from "../../model/change-requests/operation-queries.ts";
import * as queries from "../../model/change-requests/queries.ts";
import type { RequestRow, Reviewer } from "../../model/change-requests/queries.ts";
import { missing } from "./audit-and-events.ts";
import { standingOf } from "./outdated.ts";
import { tagOf } from "./tag.ts";

/** Somebody without rights, to ask what an environment requires of everybody. */
const ANYBODY = { kind: "system", name: "" } as const;

/** An operation of a request, with the content of its target now. */
export interface ShownOperation extends RequestOperation {
  /** The name of the flag or segment now. Undefined if it does not exist any more. */
  readonly targetName: string | undefined;
  /** Undefined if the target does not exist any more. */
  readonly current: Content | undefined;
}

/** A change request with all that its readers see. */
export interface ChangeRequest extends RequestRow {
  /** See `tagOf`. */
  readonly tag: string;
  readonly operations: readonly ShownOperation[];
  /** Null for a request that is not open. */
  readonly status: RequestStatus | null;
  readonly approval: NeededApprovals;
  readonly reviews: readonly Review[];
  readonly comments: Conversation["comments"];
  /** Whether the caller may review the request, so that the review counts. */
  readonly mayReview: boolean;
  /** Whether the caller may apply the request without the approvals that it needs. */
  readonly mayBypass: boolean;
}

type Conversation = Awaited<ReturnType<typeof queries.findConversation>>;
type Review = Conversation["reviews"][number] & {
  /** Whether the review is of the request as it is now, by somebody who may approve now. */
  readonly counts: boolean;
};

/** The environments that require approvals of a request, and the highest number of them. */
export interface NeededApprovals {
  readonly environments: readonly { readonly id: number; readonly name: string }[];
  readonly required: number;
  /** Whether an administrator may apply the request without them. */
  readonly isBypassable: boolean;
}

interface ListRequests extends PageRequest {
  readonly projectId?: number | undefined;
  readonly state?: RequestRow["state"] | undefined;
  /** Only requests that the caller can review and has not reviewed as they are now. */
  readonly toReview?: boolean | undefined;
  /** Only requests that the caller has opened or edited. */
  readonly mine?: boolean | undefined;
  /** Only open requests that change this flag, with what they do to it. */
  readonly flagId?: number | undefined;
  /** Whether to return what the open requests wait for. Default: false. */
  readonly status?: boolean | undefined;
}

/** A request with its entity tag (`tagOf`). */
export type TaggedRequest = RequestRow & { readonly tag: string };

export interface ListedRequest extends TaggedRequest {
  /** Undefined if the list was asked for without it. Null: not open, or not known (`statusesOf`). */
  readonly status?: RequestStatus | null;
  /** Undefined if the list was asked for without the status, or if the request is not open. */
  readonly approval?: ListedStatus["approval"] | undefined;
  /** What the request does to the flag of the list. Undefined without a flag. */
  readonly operations?: readonly FlagOperation[];
}

/**
 * Returns a page of requests (see `listedProjects`). Throws: 403 for an API key of another project, 400
 * for the status of requests of all projects, and for requests of a flag that need not be open.
 */
export async function listRequests(
  call: Call,
  list: ListRequests,
): Promise<{ readonly items: readonly ListedRequest[]; readonly total: number }> {
  const { db, actor } = reads(call, "change-request:read");
  const { projectId: asked, state, toReview, mine, flagId, status, page, size } = list;
  const listed = listedProjects(actor, asked);
  const { projectId } = listed;
  if (status && projectId === undefined)
    throw invalid([{ field: "status", message: "requires projectId" }]);
  // A project has few open requests, so the query needs no index on what requests change.
  if (flagId !== undefined && (projectId === undefined || state !== "open"))
    throw invalid([{ field: "flagId", message: "requires projectId and state=open" }]);
  const reviewer = toReview ? reviewerOf(actor) : undefined;
  const authorId = mine ? (actor.kind === "user" ? actor.id : 0) : undefined;
  const filter = { listed, state, reviewer, authorId, flagId };
  const found = await queries.listRequests(db, filter, { limit: size, offset: page * size });
  const { total } = found;
  const tagged = await Promise.all(
    found.items.map(async (row) => Object.assign(row, { tag: await tagOf(row) })),
  );
  const ids = tagged.map(({ id }) => id);
  const changes =
    flagId !== undefined && ids.length > 0
      ? await findOperationsOfFlag(db, { ids, flagId, maxBytes: MAX_BYTES })
      : [];
  const byRequest = Map.groupBy(changes, ({ requestId }) => requestId);
  const statuses = status && projectId !== undefined && (await statusesOf(db, projectId, tagged));
  const items = tagged.map((row) =>
    Object.assign(
      row,
      flagId !== undefined && { operations: byRequest.get(row.id) ?? [] },
      statuses && { status: null, ...statuses.get(row.id) },
    ),
  );
  return { items, total };
}

/** Returns which requests a caller can review: none for an API key, and a user those of some projects. */
function reviewerOf(actor: Actor): Reviewer {
  const permission = "change-request:review";
  const needsApproval = storedNeedsApproval(queries.LISTED_CHANGE);
  if (actor.kind !== "user") return { userId: 0, projectIds: [], needsApproval };
  const { id: userId, projectRoles } = actor;
  const projectIds = allows(actor, permission)
    ? undefined
    : [...projectRoles.keys()].filter((id) => allows(actor, permission, id));
  return { userId, projectIds, needsApproval };
}

/** Returns the ids of the newest open requests that change a flag. Throws: 404 if it is hidden. */
export function openRequestsOf(
  call: Call,
  flag: ById & { readonly projectId: number },
  limit: number,
): Promise<number[]> {
  const { projectId } = flag;
  const { db } = reads(call, "change-request:read", { projectId });
  return queries.findOpenOfFlag(db, flag, limit);
}

/** Returns a request. Throws: 404 for an unknown id, 403 for an API key of another project. */
export async function getRequest(call: Call, { id }: ById): Promise<ChangeRequest> {
  const ctx = reads(call, "change-request:read");
  return show(ctx, await findRequest(ctx, id));
}

/** Returns the row of a request. Throws: 404, 403 for an API key of another project. */
export const findRequest = async (ctx: Reading, id: number): Promise<RequestRow> =>
  inScope(ctx, await queries.findRequest(ctx.db, id), missing);

/** Returns a request with its operations, its status and its conversation, as the caller sees it. */
export async function show({ db, actor }: Reading, row: RequestRow): Promise<ChangeRequest> {
  const { id, projectId, hash } = row;
  const operations = await findOperations(db, id);
  const isOpen = row.state === "open";
  const earlier = isOpen ? await earlierOf(db, row) : undefined;
  const present = await readCurrent(db, projectId, operations);
  const current = earlier ? withResult(earlier, present) : present;
  const approval = await neededApprovals(db, row);
  const environmentIds = approval.environments.map((one) => one.id);
  const userId = actor.kind === "user" ? actor.id : null;
  const found = await queries.findConversation(db, { requestId: id, environmentIds, userId });
  const reviews = found.reviews.map((review) =>
    Object.assign(review, { counts: review.hash === hash && review.mayApprove }),
  );
  const given = (verdict: Verdict) =>
    reviews.filter((review) => review.counts && review.verdict === verdict).length;
  const shown = operations.map((one) =>
    Object.assign({}, one, {
      targetName: targetOf(current, one)?.name,
      current: targetContent(current, one),
    }),
  );
  const statusNow = async () => {
    const { isCurrent, obstacle } = await standingOf(row, operations, current);
    return statusOf({
      isComplete: obstacle === undefined,
      isCurrent,
      isGivenUp: row.blockedBy !== null,
      isPlanned: row.nextAt !== null,
      required: approval.required,
      approvals: given("approve"),
      rejections: given("reject"),
    });
  };
  return {
    ...row,
    tag: await tagOf(row),
    operations: shown,
    status: isOpen ? await statusNow() : null,
    approval,
    reviews,
    comments: found.comments,
    mayReview: isOpen && found.mayReview && allows(actor, "change-request:review", projectId),
    mayBypass: isOpen && approval.isBypassable && allows(actor, "protection:bypass", projectId),
  };
}

/** Returns which approvals a request needs now. */
export async function neededApprovals(
  db: ReadDb,
  { ruleChange }: Pick<RequestRow, "ruleChange">,
): Promise<NeededApprovals> {
  if (ruleChange === null) return { environments: [], required: 0, isBypassable: false };
  const { environments } = await readRestrictions(db, ANYBODY, ruleChange);
  const needing = environments.filter((one) => one.requiredApprovals > 0 && !isFreeTurnOff(one));
  return {
    environments: needing.map(({ environmentId, name }) => ({ id: environmentId, name })),
    required: Math.max(0, ...needing.map((one) => one.requiredApprovals)),
    isBypassable: needing.length > 0 && needing.every((one) => one.allowBypass),
  };
}
