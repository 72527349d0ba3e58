import { closeIdle } from "../jobs/close-idle-requests.ts";
import type { JobDeps } from "../jobs/deps.ts";
import { markStale } from "../jobs/mark-stale.ts";
import { remindTokens } from "../jobs/remind-tokens.ts";
import { reseal } from "../jobs/reseal.ts";
import { runLate } from "../jobs/schedule/run-due.ts";
import { stopRamps } from "../jobs/schedule/run-ramp.ts";
import {
  closeDeletedKeys,
  notifyRecent,
  notifyRecentProjects,
} from "../jobs/streams/notify-recent.ts";
import { sweepSnapshots } from "../jobs/sweep-snapshots.ts";
import { sweep, sweepAudit } from "../jobs/sweep.ts";
import { sweepUsage } from "../jobs/usage/sweep.ts";
import { relayLost, releaseHeld } from "../jobs/webhooks/relay.ts";
import { reportJobFault } from "./runtime/fault.ts";
import { jobDeps } from "./jobs.ts";
import { reportMetricsSoon } from "./runtime/metrics-report.ts";

type Job = (deps: JobDeps) => Promise<unknown>;

/**
 * The cron expression of the trigger that runs every minute. The other trigger in wrangler.toml
 * runs every hour.
 */
const EVERY_MINUTE = "* * * * *";

const MINUTELY: readonly Job[] = [
  releaseHeld,
  runLate,
  stopRamps,
  relayLost,
  notifyRecent,
  notifyRecentProjects,
  closeDeletedKeys,
];
const HOURLY: readonly Job[] = [
  sweep,
  sweepAudit,
  sweepUsage,
  sweepSnapshots,
  reseal,
  markStale,
  closeIdle,
  remindTokens,
];

/**
 * The handler of cron triggers. When a job fails, its fault is logged and the other jobs still run. Throws:
 * `SettingsError`, or `UnavailableError` when D1 opens no session; the remaining jobs then do not run.
 */
export async function scheduled(
  { cron }: { readonly cron: string },
  env: Env,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  for (const job of cron === EVERY_MINUTE ? MINUTELY : HOURLY)
    await job(jobDeps(env)).catch((error: unknown) => {
      reportJobFault(job.name, error);
    });
  reportMetricsSoon(env, ctx);
}
