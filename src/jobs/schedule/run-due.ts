import { ApiError } from "../../core/errors/api-error.ts";
import { retryAfterMs } from "../../core/schedule/retry.ts";
import type { JobDeps } from "../deps.ts";
import { runRamp } from "./run-ramp.ts";
import { type Due, type DueKind, dueProjects, findDue, nextDue, postpone } from "./queries.ts";
import { runRequest } from "./run-request.ts";

/** How each kind is run. A run that throws is tried again later. */
const RUN: Readonly<Record<DueKind, (deps: JobDeps, due: Due) => Promise<void>>> = {
  request: runRequest,
  ramp: runRamp,
};

/**
 * How many planned changes one invocation runs. An invocation may make 1,000 statements, and a change
 * takes about 25.
 */
const MAX_RUNS = 25;

/**
 * Runs the planned changes of a project that are due, in the order of their times. Returns when the
 * next one is due, epoch milliseconds; undefined: nothing is planned. Throws: errors of the database
 * when it finds out what is due.
 */
export async function runDue(deps: JobDeps, projectId: number): Promise<number | undefined> {
  await runIn(deps, [projectId]);
  return nextDue(deps.db, projectId);
}

async function runIn(deps: JobDeps, projectIds: readonly number[]): Promise<void> {
  const { db, now } = deps;
  for (const due of await findDue(db, { projectIds, now: now(), limit: MAX_RUNS }))
    try {
      await RUN[due.kind](deps, due);
    } catch (error) {
      if (!(error instanceof ApiError)) deps.fault("schedule", error);
      await deps.record([postpone(due, now() + retryAfterMs(now() - due.since))]);
    }
}

/** How late a planned change is before the cron runs it, milliseconds. */
const LATE_MS = 5_000;
const MAX_PROJECTS = 200;

/**
 * The job that runs the planned changes whose alarm is late or lost: by the schedulers of their
 * projects, and without them if they do not respond.
 */
export async function runLate(deps: JobDeps): Promise<void> {
  const { db, now, fault, runScheduler } = deps;
  const late = await dueProjects(db, now() - LATE_MS, MAX_PROJECTS);
  const failed: number[] = [];
  await Promise.all(
    late.map((projectId) =>
      runScheduler(projectId).catch((error: unknown) => {
        fault("schedule", error);
        failed.push(projectId);
      }),
    ),
  );
  if (failed.length > 0) await runIn(deps, failed);
}
