import { conflict, notFound } from "../../core/errors/api-error.ts";
import { randomToken, sha256 } from "../../core/lib/digest.ts";
import { ACTIVE_RAMPS, type RampState, type StopAction } from "../../core/ramps/ramp.ts";
import type { ReadDb } from "../../db/database.ts";
import type { Revision } from "../../db/commit.ts";
import type { PageRequest } from "../../http/paging.ts";
import { type Call, type Reading, reads, writes } from "../../access/call.ts";
import type { ById } from "../../core/lib/input.ts";
import { execute } from "../../changes/execute.ts";
import type { OperationOf, RampInput } from "../../changes/plan/operation.ts";
import { repeatStale } from "../../model/optimistic-update.ts";
import { inScope, listedProjects } from "../../access/scope.ts";
import { abort, goOn, move, NO_APPROVAL, pause, stop } from "../../workflows/ramps/actions.ts";
import * as queries from "../../model/ramps/queries.ts";
import type { RampRow, StateFilter } from "../../model/ramps/queries.ts";
import { rampEntry, rampEvent, OBSTACLES } from "../../model/ramps/records.ts";

/** The length of the token of a stop URL, bytes. */
const TOKEN_BYTES = 32;

interface NewStop {
  readonly action: StopAction;
}

export interface StartRamp extends Omit<RampInput, "stop" | "changeRequestId"> {
  readonly flagId: number;
  readonly environmentId: number;
}

interface StartedRamp {
  readonly ramp: RampRow;
  readonly revisions: readonly Revision[];
  /** The token of the stop URL. Undefined: the ramp has no stop URL. */
  readonly stopToken: string | undefined;
}

export const startingRamp = ({
  flagId,
  environmentId,
  ...input
}: StartRamp & Pick<RampInput, "stop">): OperationOf<"ramp.start"> => ({
  kind: "ramp.start",
  target: { flag: { flagId }, environmentId },
  input,
});

/**
 * Starts a ramp and executes its first step. Throws: 404 for an unknown flag, environment or rule; 409
 * for an archived flag, for a rule of a flag that is off, and if the strategy has an active ramp; 402
 * for too many active ramps; and the errors of `execute`.
 */
export async function startRamp(
  call: Call,
  { stop: asked, ...start }: StartRamp & { readonly stop?: NewStop | undefined },
): Promise<StartedRamp> {
  const stopToken = asked && randomToken(TOKEN_BYTES);
  const withStop =
    asked && stopToken !== undefined
      ? { ...start, stop: { action: asked.action, hash: await sha256(stopToken) } }
      : start;
  const { work, revisions } = await execute(call, [startingRamp(withStop)]);
  const [started] = work.ramps;
  if (!started) throw new Error("The operation must start a ramp");
  const ctx = reads(call, "strategy:read");
  return { ramp: await find(ctx, started.id), revisions, stopToken };
}

interface ListRamps extends PageRequest {
  readonly projectId?: number | undefined;
  readonly flagId?: number | undefined;
  readonly state?: StateFilter | undefined;
}

/** Returns a page of ramps (see `listedProjects`). Throws: 403 for an API key of another project. */
export function listRamps(call: Call, { projectId, flagId, state, page, size }: ListRamps) {
  const { db, actor } = reads(call, "strategy:read");
  const filter = { listed: listedProjects(actor, projectId), flagId, state };
  return queries.listRamps(db, filter, { limit: size, offset: page * size });
}

/** Returns a ramp. Throws: 404 for an unknown id, 403 for an API key of another project. */
export const getRamp = (call: Call, { id }: ById): Promise<RampRow> =>
  find(reads(call, "strategy:read"), id);

const find = async (ctx: Reading, id: number): Promise<RampRow> =>
  inScope(ctx, await queries.findRamp(ctx.db, id), notFound("The ramp does not exist"));

/** Pauses a ramp, which keeps the rest of its hold. Throws: the errors of `act`. */
export const pauseRamp = (call: Call, { id }: ById): Promise<RampRow> =>
  act(call, { id, verb: "paused", from: ["waiting", "running"] }, (row) =>
    pause(call, row, reasonOf(call)),
  );

/** Resumes a paused ramp with the rest of its hold. Throws: the errors of `act`. */
export const resumeRamp = (call: Call, { id }: ById): Promise<RampRow> =>
  act(call, { id, verb: "resumed", from: ["paused"] }, (row) => {
    const now = call.now();
    const { remainingMs } = row;
    const state = remainingMs === null ? ("waiting" as const) : ("running" as const);
    const nextAt = remainingMs === null ? null : now + remainingMs;
    const after = { ...row, state };
    return move(call, row, {
      columns: { state, nextAt, remainingMs: null, reason: null, updatedAt: now },
      audit: [rampEntry("resumed", row, after)],
      events: [rampEvent("resumed", after)],
      nextAt,
    });
  });

/**
 * Executes the next step of a ramp now. Throws: 409 for a running hold in an environment that requires
 * approvals, and the errors of `act` and `goOn`.
 */
export const advanceRamp = (call: Call, { id }: ById): Promise<RampRow> =>
  act(call, { id, verb: "advanced", from: ["waiting", "running"] }, (row, db) => {
    if (row.state === "running" && row.requiredApprovals > 0)
      throw conflict(
        `The environment ${row.environmentName} requires approvals, and the approval covers the hold; wait for its end`,
      );
    return goOn(call, db, row);
  });

/** Restores what a ramp has changed. Throws: the errors of `act`. */
export const abortRamp = (call: Call, { id }: ById): Promise<RampRow> =>
  act(call, { id, verb: "aborted", from: ACTIVE_RAMPS }, async (row, db) => {
    await abort(call, db, row, { reason: reasonOf(call), isApproved: NO_APPROVAL });
  });

/** Gives an active ramp a stop URL, which replaces an earlier one. Throws: the errors of `act`. */
export async function renewStopUrl(
  call: Call,
  { id, action }: ById & NewStop,
): Promise<{ readonly stopToken: string }> {
  const stopToken = randomToken(TOKEN_BYTES);
  const stopHash = await sha256(stopToken);
  await act(call, { id, verb: "stopped by a URL", from: ACTIVE_RAMPS }, (row) =>
    move(call, row, {
      columns: { stopAction: action, stopHash, updatedAt: call.now() },
      audit: [
        {
          action: "ramp.stop-url-renewed",
          entityType: "ramp",
          entityId: id,
          projectId: row.projectId,
          environmentId: row.environmentId,
          rampId: id,
          after: { stopAction: action },
        },
      ],
      events: [],
    }),
  );
  return { stopToken };
}

const reasonOf = ({ request }: Call): string | null => request?.reason ?? null;

interface Action extends ById {
  /** What happens to the ramp, for an error. */
  readonly verb: string;
  /** The states in which this is possible. */
  readonly from: readonly RampState[];
}

/**
 * Makes a change of a ramp, and returns the ramp after it. Throws: 404; 403 without the right to write
 * in the environment; 409 in another state, and if the ramp cannot go on, which stops it.
 */
async function act(
  call: Call,
  { id, verb, from }: Action,
  change: (row: RampRow, db: ReadDb) => Promise<void>,
): Promise<RampRow> {
  const ctx = reads(call, "strategy:write");
  await repeatStale(async () => {
    const row = await find(ctx, id);
    const { projectId, environmentId, state, obstacle } = row;
    writes(call, "strategy:write", { projectId, environmentId });
    if (obstacle !== null) {
      await stop(call, row, OBSTACLES[obstacle]);
      throw conflict(`${OBSTACLES[obstacle]}, so the ramp is stopped; start a new one`);
    }
    if (!from.includes(state)) throw conflict(`A ramp that is ${state} cannot be ${verb}`);
    await change(row, ctx.db);
  });
  return find(ctx, id);
}
