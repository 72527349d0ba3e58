import { nextLook } from "../../core/change-requests/schedule.ts";
import { ApiError } from "../../core/errors/api-error.ts";
import { failureOf } from "../../core/schedule/failure.ts";
import { retryAfterMs } from "../../core/schedule/retry.ts";
import { newTraceId } from "../../http/trace.ts";
import {
  applyPlannedRequest,
  checkPlannedRequest,
  expiryOf,
  findPlannedRequest,
  type PlannedRequest,
  schedulerOf,
  stopPlannedRequest,
} from "../../workflows/change-requests/lifecycle.ts";
import type { Call } from "../../access/call.ts";
import { noticeMail } from "../../mail/mails.ts";
import { staleRow } from "../../model/optimistic-update.ts";
import type { JobDeps } from "../deps.ts";
import { type Due, postpone } from "./queries.ts";

/**
 * Looks at a scheduled change request: applies it at its time, and checks before whether it is
 * outdated. Does nothing if somebody has changed, applied or closed it. A refusal ends the schedule
 * and is mailed to the author. Throws: temporary errors, after which the service tries again.
 */
export async function runRequest(deps: JobDeps, due: Due): Promise<void> {
  const traceId = newTraceId();
  const call = deps.systemCall(traceId);
  const request = await findPlannedRequest(call, due);
  if (!request) return;
  try {
    await look(deps, { call, request, due, traceId });
  } catch (error) {
    const failure = error === staleRow ? "retry" : failureOf(error);
    if (failure === "retry" || !(error instanceof Error)) throw error;
    const now = deps.now();
    if (failure === "wait") {
      const next = now + retryAfterMs(now - due.since);
      await deps.record([postpone(due, Math.min(next, request.latestAt + 1))]);
      return;
    }
    const stop = { request, as: failure, reason: reasonOf(error) };
    for (const { to, notice } of await stopPlannedRequest(call, stop))
      await deps.mailer
        .send(noticeMail(to, deps.publicUrl, notice), traceId)
        .catch((fault: unknown) => deps.fault("mail", fault, traceId));
  }
}

/** Returns what the author reads. A 403 is about the rights of who has scheduled the request. */
const reasonOf = (error: Error): string =>
  error instanceof ApiError && error.code === "FORBIDDEN"
    ? `The user or API key that scheduled the change request may not apply it: ${error.message}`
    : error.message;

interface Look {
  readonly call: Call;
  readonly request: PlannedRequest;
  readonly due: Due;
  readonly traceId: string;
}

async function look(deps: JobDeps, { call, request, due, traceId }: Look): Promise<void> {
  const { applyAt, latestAt, updatedAt } = request;
  const now = deps.now();
  if (now > latestAt) throw await expiryOf(call, request);
  if (now < applyAt) {
    await checkPlannedRequest(call, request);
    await deps.record([postpone(due, nextLook(applyAt, now))]);
    return;
  }
  const scheduler = await schedulerOf(call, request);
  const planned = deps.plannedCall(traceId, scheduler);
  const isApplied = await applyPlannedRequest(planned, { request, by: call.actor });
  // An approval or an edit after `applyAt` is applied at once.
  if (isApplied) deps.observeScheduleLag(deps.now() - Math.max(applyAt, updatedAt));
}
