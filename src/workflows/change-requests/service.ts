import { sql } from "drizzle-orm";
import type { Content } from "../../core/audit/changed-fields.ts";
import { rebase, type Take } from "../../core/change-requests/rebase.ts";
import {
  type AskedSchedule,
  changedSchedule,
  type Schedule,
  scheduleOf,
  UNSCHEDULED,
} from "../../core/change-requests/schedule.ts";
import { ApiError, conflict, invalid, notFound } from "../../core/errors/api-error.ts";
import { actorName } from "../../db/audit.ts";
import type { Change } from "../../db/commit.ts";
import type { ConditionGuard } from "../../db/guards.ts";
import { belowLimit } from "../../db/quota.ts";
import type { ReadDb } from "../../db/database.ts";
import type { FileApply } from "../../db/schema/change-requests.ts";
import { iso, isoOrNull } from "../../http/schema.ts";
import { type Call, type Reading, reads, writes } from "../../access/call.ts";
import type { ChangeOf } from "../../core/lib/input.ts";
import type { Operation } from "../../changes/plan/operation.ts";
import { repeatStale, staleRow } from "../../model/optimistic-update.ts";
import { visibleProject } from "../../access/scope.ts";
import { readApplicable } from "./apply.ts";
import { targetContent, hashOf, readCurrent } from "./targets.ts";
import { withResult, assertDependable, earlierOf } from "./dependencies.ts";
import { mergeable, toOperations } from "./rebase-fields.ts";
import {
  hasNoRequest,
  insertFields,
  type PlanOfFile,
} from "../../model/change-requests/file-plan-queries.ts";
import { proposalOf, type Proposal } from "./proposal.ts";
import { mailOpened } from "./mails.ts";
import { type ByHash, changeIfOpen } from "./change-open.ts";
import { type Planned, plannedBy, plansOf } from "./schedule-columns.ts";
import {
  deleteOperations,
  findOperations,
  insertOperations,
} from "../../model/change-requests/operation-queries.ts";
import { addAuthor } from "../../model/change-requests/author-queries.ts";
import * as queries from "../../model/change-requests/queries.ts";
import type { RequestRow } from "../../model/change-requests/queries.ts";
import { type ChangeRequest, findRequest, neededApprovals, show } from "./read-service.ts";
import { blocked, notReviewers, requestEntry, requestEvent } from "./audit-and-events.ts";
import { findSame, hasNoSame } from "../../model/change-requests/duplicate-queries.ts";
import { allCanBeAsked, addReviewers } from "../../model/change-requests/reviewer-queries.ts";
import { tagOf } from "./tag.ts";

/** The most open requests of a project. */
const MAX_OPEN = 100;

export interface NewRequest extends AskedSchedule {
  /** Undefined: the project of the only operation. */
  readonly projectId?: number | undefined;
  readonly title: string;
  readonly description?: string | null | undefined;
  readonly operations: readonly Operation[];
  /** The earlier request on whose result this one is based. Undefined and null: none. */
  readonly dependsOn?: number | null | undefined;
  /** Whether the operations are a bulk change (see `prepare`). Default: false. */
  readonly bulk?: boolean | undefined;
  /** The ids of the users who are asked to review the request. Default: nobody. */
  readonly reviewers?: readonly number[] | undefined;
}

/** A request that was opened, or that its author had opened before. */
interface Opened {
  readonly request: ChangeRequest;
  readonly isNew: boolean;
}

/**
 * Opens a change request, or returns the open one of the same author with the same changes at the same
 * times, so a request that is repeated opens no second one. That one keeps its title, description and
 * reviewers.
 * Throws: the errors of `openRequest`.
 */
export const openOnce = (call: Call, request: NewRequest): Promise<Opened> =>
  repeatStale(() => openRequest(call, request));

/**
 * Opens a change request once (`openOnce`). `plan`: the plan of a file that the request carries out.
 * No other open request may be for the plan. Throws: 400 for a schedule in the past and for reviewers who may not review the request, 402 if the project
 * has too many open requests, `staleRow` if another request opens the same one now, and the errors of
 * `prepare`.
 */
export async function openRequest(
  call: Call,
  {
    title,
    description = null,
    operations,
    dependsOn = null,
    bulk,
    reviewers = [],
    ...asked
  }: NewRequest,
  plan?: PlanOfFile,
): Promise<Opened> {
  const { db } = reads(call, "change-request:write");
  const inProject =
    asked.projectId === undefined ? undefined : visibleProject(call.actor, asked.projectId);
  const schedule = changedSchedule(UNSCHEDULED, asked, call.now());
  await assertDependable(db, { projectId: inProject, dependsOn, ...schedule });
  const input = { projectId: inProject, operations, schedule, dependsOn, bulk };
  const prepared = await proposalOf(call, db, input);
  const { projectId, hash, ruleChange } = prepared;
  const ctx = writes(call, "change-request:write", { projectId });
  const { actor } = ctx;
  const proposal = { projectId, hash, author: actor };
  const same = plan ? undefined : await findSame(ctx.db, proposal);
  if (same !== undefined)
    return { request: await show(ctx, await findRequest(ctx, same)), isNew: false };
  const now = ctx.now();
  const author = {
    authorKind: actor.kind,
    authorId: actor.kind === "system" ? null : actor.id,
    authorName: actorName(actor),
  };
  const planned = plannedBy(actor, schedule, now);
  const content = { projectId, title, description, hash, ruleChange, dependsOn };
  const { fileApply, fields = [] } = plan ?? {};
  const id = queries.NEW_ID;
  const proposed = { projectId, ruleChange };
  const chosen = reviewers.length > 0 ? { reviewers } : {};
  const tag = await tagOf(content);
  const { changes } = await ctx.commit({
    guards: [
      fileApply
        ? hasNoOther(projectId, fileApply)
        : { holds: hasNoSame(proposal), error: staleRow },
      belowLimit(
        queries.countOpen(projectId),
        MAX_OPEN,
        "open change requests in a project",
        "apply or close one first",
      ),
      ...(reviewers.length > 0 ? [await canBeAsked(ctx, reviewers, proposed)] : []),
    ],
    statements: [
      queries.insertRequest({
        ...content,
        ...schedule,
        ...planned,
        ...author,
        ...(fileApply && { fileApply, planId: fileApply.planId }),
        createdAt: now,
        updatedAt: now,
      }),
      ...insertOperations(id, prepared.operations),
      ...insertFields(fields),
      addAuthor(id, actor),
      ...(reviewers.length > 0 ? [addReviewers(id, reviewers)] : []),
    ],
    audit: [
      requestEntry(
        "opened",
        { id, projectId },
        { after: { title, description, hash: tag, ...shownSchedule(schedule), ...chosen } },
      ),
    ],
    events: [requestEvent("opened", { id, projectId, title }, chosen)],
    ...plansOf(projectId, planned),
    onForeignKey: notFound("The project does not exist"),
  });
  const record = changes.at(-1);
  if (!record) throw new Error("A new change request must have an audit record");
  const opened = await queries.requestOfRecord(ctx.db, record.change);
  const request = await show(ctx, await findRequest(ctx, opened));
  mailOpened(call, ctx.db, request);
  return { request, isNew: true };
}

/** Returns a guard that fails if one of these users may not be asked to review a new request. */
async function canBeAsked(
  { db, actor }: Reading,
  reviewers: readonly number[],
  { projectId, ruleChange }: Pick<RequestRow, "projectId" | "ruleChange">,
): Promise<ConditionGuard> {
  const { environments } = await neededApprovals(db, { ruleChange });
  const environmentIds = environments.map(({ id }) => id);
  const asking = { projectId, environmentIds, requestId: undefined, actor };
  return { holds: allCanBeAsked(reviewers, asking), error: notReviewers("reviewers") };
}

/** Guard: fails if the project has an open request for the same plan. */
const hasNoOther = (projectId: number, { planId }: FileApply): ConditionGuard => ({
  holds: hasNoRequest(projectId, planId),
  error: staleRow,
});

/** Returns a schedule as audit records have it: nothing for a request without one. */
const shownSchedule = ({ applyAt, latestAt, timeZone }: Schedule) =>
  applyAt === null ? {} : { applyAt: iso(applyAt), latestAt: isoOrNull(latestAt), timeZone };

/**
 * Changes the title, the description, the operations or the schedule of an open request. Each of these
 * changes needs new reviews. Who edits a request may not review it any more.
 * Throws: 404, 412 for another hash, 409 if the request is not open, or if its schedule changes while
 * it is outdated (`OUTDATED`), 400 for a schedule in the past, and the errors of `prepare`.
 */
export const editRequest = (
  call: Call,
  {
    operations,
    title,
    description,
    applyAt,
    latestAt,
    timeZone,
    dependsOn: wanted,
    ...target
  }: ByHash & ChangeOf<Omit<NewRequest, "projectId" | "bulk" | "reviewers">>,
): Promise<ChangeRequest> =>
  changeIfOpen(call, "change-request:write", target, async (row, db) => {
    const schedule = changedSchedule(row, { applyAt, latestAt, timeZone }, call.now());
    const dependsOn = wanted === undefined ? row.dependsOn : wanted;
    if (dependsOn !== row.dependsOn && !operations)
      throw invalid([{ field: "dependsOn", message: "requires operations" }]);
    const content = { projectId: row.projectId, schedule, dependsOn };
    if (wanted !== undefined) await assertDependable(db, { ...content, ...schedule, id: row.id });
    const prepared = operations && (await proposalOf(call, db, { ...content, operations }));
    const isReplanned = prepared !== undefined || applyAt !== undefined || latestAt !== undefined;
    return edited(call, row, {
      prepared,
      hash: prepared?.hash ?? (await hashWith(db, row, schedule)),
      planned: isReplanned ? plannedAgain(call, schedule) : {},
      schedule,
      dependsOn,
      title,
      description,
    });
  });

/** Returns the hash of a request with another schedule. Throws: 409 if the request is outdated. */
async function hashWith(db: ReadDb, row: RequestRow, schedule: Schedule): Promise<string> {
  if (row.applyAt === schedule.applyAt && row.latestAt === schedule.latestAt) return row.hash;
  const { operations, current } = await readApplicable({ db }, row);
  return hashOf(operations, current, { ...schedule, dependsOn: row.dependsOn });
}

/**
 * Returns the columns of a request whose schedule or operations have changed. The service applies it
 * in the name of the actor, who vouches for the change. A schedule that is over stays as it is.
 */
const plannedAgain = ({ actor, now }: Call, schedule: Schedule): Partial<Planned> =>
  schedule.latestAt !== null && schedule.latestAt <= now() ? {} : plannedBy(actor, schedule, now());

interface Edit {
  readonly prepared: Proposal | undefined;
  readonly hash: string;
  readonly planned: Partial<Planned>;
  readonly schedule: Schedule;
  readonly dependsOn: number | null;
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
}

async function edited(
  call: Call,
  row: RequestRow,
  {
    prepared,
    hash,
    planned,
    schedule,
    dependsOn,
    title = row.title,
    description = row.description,
  }: Edit,
): Promise<Change> {
  const { actor, now } = call;
  const { blockedBy = row.blockedBy } = planned;
  const columns = { title, description, hash, blockedBy };
  const before = {
    title: row.title,
    description: row.description,
    hash: await tagOf(row),
    blockedBy: row.blockedBy,
  };
  const after = { ...columns, hash: await tagOf(columns) };
  const isRetitled = title !== row.title || description !== row.description;
  const id = sql`${row.id}`;
  return {
    statements: [
      queries.updateRequest(row.id, {
        ...columns,
        ...schedule,
        ...planned,
        dependsOn,
        // Other operations are not the plan any more, so its apply must not find the request.
        ...(prepared && { ruleChange: prepared.ruleChange, planId: null }),
        updatedAt: now(),
      }),
      addAuthor(id, actor),
      ...(isRetitled ? [queries.endReviews(row.id)] : []),
      ...(prepared ? [deleteOperations(row.id), ...insertOperations(id, prepared.operations)] : []),
    ],
    audit: [
      requestEntry("updated", row, {
        before: { ...before, ...shownSchedule(row) },
        after: { ...after, ...shownSchedule(schedule) },
      }),
    ],
    ...plansOf(row.projectId, planned),
  };
}

/** The side to take for a field that the request and others have changed. */
export interface Choice {
  /** The index of the operation. */
  readonly operation: number;
  readonly field: string;
  readonly take: Take;
}

/**
 * Bases a request on the contents as they are now. It needs new reviews, if anything has changed.
 * Throws: 404, 412 for another hash, 409 if the request is not open, if a target does not exist any
 * more, or with the fields that both have changed and that have no choice; and the errors of
 * `prepare`.
 */
export const rebaseRequest = (
  call: Call,
  { choices, ...target }: ByHash & { readonly choices: readonly Choice[] },
): Promise<ChangeRequest> =>
  changeIfOpen(call, "change-request:write", target, async (row, db) => {
    const { projectId, dependsOn } = row;
    const operations = await findOperations(db, row.id);
    const earlier = await earlierOf(db, row);
    const current = withResult(earlier, await readCurrent(db, projectId, operations));
    const rebased = operations.map((operation, n) => {
      const now = targetContent(current, operation);
      if (now === undefined) throw blocked(n);
      const [was, is, will] = [operation.base, now, operation.after].map((content) =>
        mergeable(operation, content),
      ) as [Content, Content, Content];
      const merged = rebase(
        { base: was, current: is, after: will },
        (field) => choices.find((one) => one.operation === n && one.field === field)?.take,
      );
      return Object.assign(merged, { operation, now });
    });
    const details = rebased.flatMap((one, n) =>
      one.conflicts.map((field) => ({
        field: `operations.${n}.${field}`,
        message: "choose a side",
      })),
    );
    if (details.length > 0)
      throw new ApiError("CONFLICT", "Both have changed some fields; choose a side for each", {
        details,
      });
    const inputs = rebased.flatMap(({ operation, now, change }) =>
      toOperations(operation, change, now),
    );
    if (inputs.length === 0)
      throw conflict("Nothing of the change request is left to change; close it");
    const prepared = await proposalOf(call, db, {
      projectId,
      operations: inputs,
      schedule: row,
      dependsOn,
    });
    const { hash } = prepared;
    const planned = plannedAgain(call, row);
    return edited(call, row, { prepared, hash, planned, schedule: scheduleOf(row), dependsOn });
  });
