import { ApiError } from "../../core/errors/api-error.ts";
import type { AuditEntry } from "../../db/audit.ts";
import type { Change, Revision } from "../../db/commit.ts";
import type { DomainEvent } from "../../db/outbox.ts";
import { flags, segments } from "../../db/schema/projects.ts";
import { authorized, type Call } from "../context.ts";
import { attempt, listError } from "../operations/execute.ts";
import type { Operation, RampInput } from "../operations/operation.ts";
import { allUnchanged, repeatStale, staleRow } from "../optimistic-update.ts";
import {
  type Current,
  hashOf,
  readCurrent,
  type RequestOperation,
  rowOf,
  strategyOf,
} from "./current.ts";
import * as queries from "./queries.ts";
import type { RequestRow } from "./queries.ts";
import { type ChangeRequest, findRequest, show } from "./read-service.ts";
import { assertOpen, blocked, closed, entryOf, eventOf } from "./records.ts";
import type { ByHash } from "./commit-if-open.ts";

const outdated = new ApiError(
  "OUTDATED",
  "What the change request is based on has changed; rebase it, and let it be reviewed again",
);

/**
 * Applies an open request: all its operations in one commit, exactly as they were reviewed, and only
 * once. The title of the request is the reason in the audit trail, unless the caller gives one.
 * Throws: 404, 412 for another hash; 409 if it is not open, if a target does not exist any more, if it
 * is outdated (`OUTDATED`), or if approvals are missing (`APPROVAL_REQUIRED`); 403 for somebody who may
 * not write to one of the environments; and the errors of `execute`.
 */
export async function applyRequest(
  call: Call,
  { id, ifMatch }: ByHash,
): Promise<{ readonly request: ChangeRequest; readonly revisions: readonly Revision[] }> {
  const ctx = authorized(call, "change-request:write", { projectId: null });
  const { db } = ctx;
  const { revisions } = await repeatStale(async () => {
    const row = await findRequest(ctx, id);
    assertOpen(row, ifMatch);
    const operations = await queries.findOperations(db, id);
    const current = await readCurrent(db, row.projectId, operations);
    const gone = operations.findIndex((operation) => !rowOf(current, operation));
    if (gone >= 0) throw blocked(gone);
    if ((await hashOf(operations, current)) !== row.hash) throw outdated;
    return attempt(
      call,
      operations.map((operation) => applied(operation, current, id)),
      {
        projectId: row.projectId,
        errorFor: (errors) => (errors[0]?.fault === "version" ? staleRow : listError(errors)),
        authority: {
          extend: (change) => change && extended(change, { row, current, call }),
          isApproved: (environmentIds, required) =>
            queries.isApproved({ requestId: id, hash: row.hash, environmentIds, required }),
        },
      },
    );
  });
  return { request: await show(db, await findRequest(ctx, id)), revisions };
}

/** Returns the operation that writes what was reviewed, if its target is as it was read. */
function applied(operation: RequestOperation, current: Current, requestId: number): Operation {
  const { kind, targetId, environmentId, change, after } = operation;
  const ifMatch = [rowOf(current, operation)?.version ?? 0];
  if (environmentId !== null) {
    const target = { flag: { flagId: targetId }, environmentId };
    if (kind === "strategy.set")
      return { kind: "strategy.replace", target, ifMatch, input: strategyOf(after) };
    const input = { ...(change as RampInput), changeRequestId: requestId };
    return { kind: "ramp.start", target, ifMatch, input };
  }
  const target = kind === "segment.update" ? { id: targetId } : { flagId: targetId };
  // The service has stored the input after its check.
  return { kind, target, ifMatch, input: change ?? undefined } as Operation;
}

interface Applying {
  readonly row: RequestRow;
  readonly current: Current;
  readonly call: Call;
}

/** Adds to the change of the operations what ends the request, and that nothing else has changed it. */
function extended(change: Change, { row, current, call }: Applying): Change {
  const { id, title, hash } = row;
  const { actor, now } = call;
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
      { holds: queries.isOpen(id, hash), error: staleRow },
      allUnchanged(flags, [...current.flags.values()]),
      allUnchanged(segments, [...current.segments.values()]),
      ...(change.guards ?? []),
    ],
    statements: [...change.statements, queries.updateRequest(id, closed("applied", actor, now()))],
    audit: [
      named(first),
      ...others.map(named),
      entryOf("applied", row, { before: { state: "open" }, after: { state: "applied" } }),
    ],
    events: [...(change.events ?? []).map(announced), eventOf("applied", row)],
  };
}
