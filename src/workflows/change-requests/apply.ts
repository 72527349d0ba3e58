import { ApiError, conflict } from "../../core/errors/api-error.ts";
import { inTurns } from "../../core/lib/turns.ts";
import { actorName, type AuditEntry } from "../../db/audit.ts";
import type { Change, Revision } from "../../db/commit.ts";
import type { DomainEvent } from "../../db/outbox.ts";
import { flags, segments } from "../../db/schema/projects.ts";
import { iso } from "../../http/schema.ts";
import { type Call, type Reading, reads } from "../../access/call.ts";
import { assertMayOwn } from "../files/ownership.ts";
import { countApply, replaceManaged, sameApplies } from "../../model/files/ownership-queries.ts";
import { settle } from "../file-approvals/ownership-after-approval.ts";
import { attempt } from "../../changes/execute.ts";
import { listError } from "../../changes/plan-error.ts";
import type { Operation } from "../../changes/plan/operation.ts";
import type { Work } from "../../changes/plan/work.ts";
import { allUnchanged, repeatStale, staleRow } from "../../model/optimistic-update.ts";
import { strategiesHaveVersions } from "../../model/strategies/queries.ts";
import { assertInEnvironments, type ByHash } from "./change-open.ts";
import { type Current, readCurrent, rowOf } from "./targets.ts";
import type { RequestOperation } from "../../model/change-requests/operations.ts";
import { withResult, earlierOf, notYet, reviewedOperation } from "./dependencies.ts";
import { deleteFields, findFields } from "../../model/change-requests/file-plan-queries.ts";
import { isOpen } from "../../model/change-requests/open-queries.ts";
import { findOperations } from "../../model/change-requests/operation-queries.ts";
import * as queries from "../../model/change-requests/queries.ts";
import type { RequestRow } from "../../model/change-requests/queries.ts";
import { findRequest } from "./read-service.ts";
import { assertOpen, closed, requestEntry, requestEvent } from "./audit-and-events.ts";
import { standingOf } from "./outdated.ts";

const outdated = new ApiError(
  "OUTDATED",
  "What the change request is based on has changed; rebase it, and let it be reviewed again",
);

interface Apply extends ByHash {
  /** Who has applied the request, as the request shows it. Default: the actor of the call. */
  readonly by?: Call["actor"] | undefined;
}

/**
 * Applies a request, as `applyRequest` does. Returns what a function needs to read the request, and
 * the new revisions.
 */
export async function apply(
  call: Call,
  { id, ifMatch, by = call.actor }: Apply,
): Promise<{ readonly ctx: Reading; readonly revisions: readonly Revision[] }> {
  const ctx = reads(call, "change-request:write");
  const { revisions } = await repeatStale(async () => {
    const row = await findRequest(ctx, id);
    await assertInEnvironments(ctx, row);
    await assertOpen(row, ifMatch);
    assertInTime(row, call.now());
    const { operations, current, earlier } = await readApplicable(ctx, row);
    if (earlier.operations.length > 0) throw notYet;
    const isClone = operations.some(({ kind }) => kind === "flag.clone");
    return attempt(
      call,
      operations.map((operation) => appliedOperation(operation, current, id)),
      {
        projectId: row.projectId,
        errorFor: (errors) => (errors[0]?.fault === "version" ? staleRow : listError(errors)),
        extend: async (change, { work }) => {
          if (!change) return undefined;
          const own = extended(change, { row, current, by, isClone, now: call.now() });
          return row.fileApply ? withOwnership(call, ctx.db, { change: own, row, work, by }) : own;
        },
        authority: {
          isApproved: (environmentIds, required) =>
            queries.isApproved({ requestId: id, hash: row.hash, environmentIds, required }),
        },
      },
    );
  });
  return { ctx, revisions };
}

interface OfFile {
  readonly change: Change;
  readonly row: RequestRow;
  readonly work: Work;
  readonly by: Call["actor"];
}

/** Adds to the change of a request what the file of its plan owns after it (see `settle`). */
async function withOwnership(
  { actor, now }: Call,
  db: Reading["db"],
  { change, row, work, by }: OfFile,
): Promise<Change> {
  const { id, projectId, fileApply, planId } = row;
  if (!fileApply) return change;
  const { manager, manages = true, ...source } = fileApply;
  const applied: AuditEntry = {
    action: "project.applied",
    entityType: "project",
    entityId: projectId,
    projectId,
    changeRequestId: id,
    // Operations that were edited are not those of the plan.
    after: { ...source, ...(manages && { manager }), planId: planId ?? undefined },
  };
  const audit: Change["audit"] = [...change.audit, applied];
  if (!manages) return { ...change, audit };
  const planned = await findFields(db, id);
  const settled = await settle(db, { projectId, manager, planned, work });
  assertMayOwn(actor, settled.flags, settled.changed);
  const counted = countApply({
    projectId,
    name: manager,
    planId: fileApply.planId,
    repository: fileApply.repository,
    commit: fileApply.commit,
    appliedBy: actorName(by),
    appliedAt: now(),
  });
  return {
    ...change,
    guards: [sameApplies(projectId, settled.ownership), ...(change.guards ?? [])],
    statements: [
      ...change.statements,
      ...(await inTurns(replaceManaged(projectId, settled.changed))),
      counted,
      deleteFields(id),
    ],
    audit,
  };
}

/** Throws: 409 for a scheduled request before and after its time. */
function assertInTime({ applyAt, latestAt }: RequestRow, now: number): void {
  if (applyAt === null || latestAt === null || (applyAt <= now && now <= latestAt)) return;
  throw conflict(
    `The change request is scheduled from ${iso(applyAt)} to ${iso(latestAt)}; ` +
      "change the schedule first, which needs new approvals",
  );
}

/**
 * Reads the operations of a request, and what they are based on. Throws: 409 if a target was archived
 * or deleted, or if the request is outdated (`OUTDATED`).
 */
export async function readApplicable({ db }: Pick<Reading, "db">, row: RequestRow) {
  const operations = await findOperations(db, row.id);
  const earlier = await earlierOf(db, row);
  const current = withResult(earlier, await readCurrent(db, row.projectId, operations));
  const { obstacle, isCurrent } = await standingOf(row, operations, current);
  if (obstacle) throw obstacle;
  if (!isCurrent) throw outdated;
  return { operations, current, earlier };
}

/** Returns the operation that writes what was reviewed, if its target is as it was read. */
function appliedOperation(
  operation: RequestOperation,
  current: Current,
  requestId: number,
): Operation {
  const row = rowOf(current, operation);
  if (!row) throw staleRow;
  return { ...reviewedOperation(operation, requestId), ifMatch: [row.version] };
}

interface Applying {
  readonly row: RequestRow;
  readonly current: Current;
  readonly by: Call["actor"];
  /** Whether an operation is a clone. It copies strategies that the operation does not name. */
  readonly isClone: boolean;
  readonly now: number;
}

/** Adds to the change of the operations what ends the request, and that nothing else has changed it. */
function extended(change: Change, { row, current, by, isClone, now }: Applying): Change {
  const { id, title } = row;
  const named = (entry: AuditEntry): AuditEntry => ({ ...entry, changeRequestId: id });
  const announced = (event: DomainEvent): DomainEvent => ({
    ...event,
    data: { ...event.data, changeRequest: { id, title } },
  });
  const [first, ...others] = change.audit;
  return {
    ...change,
    reason: title,
    guards: [
      { holds: isOpen(row), error: staleRow },
      allUnchanged(flags, [...current.flags.values()]),
      allUnchanged(segments, [...current.segments.values()]),
      ...(isClone
        ? [{ holds: strategiesHaveVersions([...current.strategies.values()]), error: staleRow }]
        : []),
      ...(change.guards ?? []),
    ],
    statements: [...change.statements, queries.updateRequest(id, closed("applied", by, now))],
    audit: [
      named(first),
      ...others.map(named),
      requestEntry("applied", row, { before: { state: "open" }, after: { state: "applied" } }),
    ],
    events: [...(change.events ?? []).map(announced), requestEvent("applied", row)],
  };
}
