import { runDue } from "../jobs/schedule/run-due.ts";
import { jobDeps } from "./jobs.ts";

/**
 * Runs what is due of a project. Returns when its next change is due, epoch milliseconds; undefined:
 * none is planned.
 */
export const runPlanned = (env: Env, projectId: number): Promise<number | undefined> =>
  runDue(jobDeps(env), projectId);
