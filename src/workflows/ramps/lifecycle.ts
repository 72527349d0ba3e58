import { type Actor, isHidden } from "@feature-flags/permissions/permissions";
import { conflict } from "../../core/errors/api-error.ts";
import { sha256 } from "../../core/lib/digest.ts";
import { asSystem, type Call, reads, type Visitor } from "../../access/call.ts";
import type { ById } from "../../core/lib/input.ts";
import { repeatStale } from "../../model/optimistic-update.ts";
import { plannedActor } from "../../access/identify.ts";
import { abort, goOn, pause, stop } from "./actions.ts";
import * as queries from "../../model/ramps/queries.ts";
import { OBSTACLES } from "../../model/ramps/records.ts";
import { isEvaluated } from "../../changes/started-ramps.ts";

/**
 * Returns who has started a ramp, with the rights of now. Undefined for an unknown id; null if the user
 * is not active any more or may not see the project any more, or the API key was deleted.
 */
export async function actorBehindRamp(call: Call, { id }: ById): Promise<Actor | null | undefined> {
  const { db, now } = reads(call, "strategy:read");
  const ramp = await queries.findRamp(db, id);
  if (!ramp) return undefined;
  const { starterKind, starterId } = ramp;
  const actor = await plannedActor(db, { kind: starterKind, id: starterId }, now());
  return actor && !isHidden(actor, ramp.projectId) ? actor : null;
}

/**
 * Executes the next step of a running ramp whose hold is over, in the name of the actor. Returns false
 * if the flag was not evaluated often enough yet, and true if nothing is left to do.
 * Throws: an `ApiError` if the ramp cannot go on.
 */
export async function runStep(call: Call, { id }: ById): Promise<boolean> {
  const { db, now } = reads(call, "strategy:write");
  return repeatStale(async () => {
    const row = await queries.findRamp(db, id);
    if (row?.state !== "running" || row.nextAt === null || row.nextAt > now()) return true;
    if (row.obstacle !== null) throw conflict(OBSTACLES[row.obstacle]);
    if (!(await isEvaluated(call, db, row))) return false;
    await goOn(call, db, row);
    return true;
  });
}

/** Stops an active ramp that cannot go on. Throws: 403. */
export async function stopRamp(
  call: Call,
  { id, reason }: ById & { readonly reason: string },
): Promise<void> {
  const { db } = reads(call, "strategy:write");
  await repeatStale(async () => {
    const row = await queries.findRamp(db, id);
    if (row && row.endedAt === null)
      await stop(call, row, row.obstacle === null ? reason : OBSTACLES[row.obstacle]);
  });
}

/** The most ramps that one run of the job stops. Each takes about ten statements. */
const MAX_STOPPED = 20;

/** Stops the active ramps whose strategy somebody has changed, or whose flag is archived. */
export async function stopObstructed(call: Call): Promise<void> {
  const { db } = reads(call, "strategy:write");
  for (const { id } of await queries.findObstructed(db, MAX_STOPPED))
    await stopRamp(call, { id, reason: OBSTACLES.changed });
}

/** The actor in the audit records of what a stop URL does. */
const STOP_URL = "stop URL";
const REASON = "The stop URL was called";

/**
 * Pauses or aborts the active ramp with the token. The ramp says which (`stopAction`). Does nothing for
 * an unknown token, and for a ramp that is paused already or has ended. The time of the request tells
 * these apart, but only to a caller who has the token.
 */
export async function stopByToken(ctx: Visitor, token: string): Promise<void> {
  const { db } = ctx;
  const call = asSystem(ctx, STOP_URL);
  const hash = await sha256(token);
  await repeatStale(async () => {
    const row = await queries.findRampByStopHash(db, hash);
    if (!row || row.endedAt !== null) return;
    if (row.obstacle !== null) await stop(call, row, OBSTACLES[row.obstacle]);
    else if (row.stopAction === "abort")
      await abort(call, db, row, { reason: REASON, isApproved: undefined });
    else if (row.state !== "paused") await pause(call, row, REASON);
  });
}
