import { ApiError } from "../../core/errors/api-error.ts";
import { failureOf } from "../../core/schedule/failure.ts";
import { MINUTE_MS } from "../../core/lib/time.ts";
import { newTraceId } from "../../http/trace.ts";
import {
  runStep,
  actorBehindRamp,
  stopObstructed,
  stopRamp,
} from "../../workflows/ramps/lifecycle.ts";
import { staleRow } from "../../model/optimistic-update.ts";
import type { JobDeps } from "../deps.ts";
import { type Due, postpone } from "./queries.ts";

/** How long a hold lasts longer while the flag is evaluated too rarely, milliseconds. */
const EXTENSION_MS = MINUTE_MS;

const NO_STARTER =
  "The user or API key that started the ramp may not write to the environment any more";

/**
 * Executes the next step of a ramp in the name of who has started it. A ramp that cannot go on stops.
 * Throws: errors after which the step can be tried again.
 */
export async function runRamp(deps: JobDeps, due: Due): Promise<void> {
  const { now } = deps;
  const { id } = due;
  const traceId = newTraceId();
  const systemCall = deps.systemCall(traceId);
  const starter = await actorBehindRamp(systemCall, { id });
  if (starter === undefined) return;
  const stop = (reason: string) => stopRamp(systemCall, { id, reason });
  if (starter === null) return stop(NO_STARTER);
  try {
    if (await runStep(deps.plannedCall(traceId, starter), { id }))
      deps.observeScheduleLag(now() - due.at);
    else await deps.record([postpone(due, now() + EXTENSION_MS)]);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await stop(error.code === "FORBIDDEN" ? NO_STARTER : error.message);
  }
}

/** Whether the service refuses a step, and not only for the moment. */
const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error !== staleRow && failureOf(error) !== "retry";

/** The job that stops ramps which cannot go on, so that they get an audit record and an event. */
export const stopRamps = (deps: JobDeps): Promise<void> =>
  stopObstructed(deps.systemCall(newTraceId()));
