import { newTraceId } from "../http/trace.ts";
import { markStaleFlags, MAX_MARKED, projectsToMark } from "../workflows/stale-flags/lifecycle.ts";
import type { JobDeps } from "./deps.ts";

/**
 * The maximum number of commits of one run. A commit marks at most 200 flags of one project, so a
 * run marks at most 10,000 flags.
 */
const MAX_COMMITS = 50;

/**
 * The hourly job that marks flags that have become stale, one commit for each project in turn. After
 * `maxCommits`, the next run marks the other flags. If the commit of a project fails, the job logs a
 * fault and continues with the other projects. Throws the errors of the database if it cannot read
 * the projects.
 */
export async function markStale(deps: JobDeps, maxCommits = MAX_COMMITS): Promise<void> {
  const traceId = newTraceId();
  const call = deps.systemCall(traceId);
  const turns = await projectsToMark(call, { limit: maxCommits });
  for (let commits = 0; commits < maxCommits; commits++) {
    const projectId = turns.shift();
    if (projectId === undefined) return;
    const marked = await markStaleFlags(call, { projectId }).catch((error: unknown) => {
      deps.fault("stale flags", error, traceId);
      return 0;
    });
    if (marked === MAX_MARKED) turns.push(projectId);
  }
}
