import type { EarlierMessage, EarlierReport } from "../../core/usage/message-types.ts";
import type { UndeliveredBatch, UsageBatch } from "../../core/usage/usage-batch.ts";
import type { JobDeps } from "../deps.ts";
import { findCounted, findProjects } from "./queries.ts";

/**
 * Turns messages of the release before, which may still be in the usage queue, into batches for the
 * usage objects. Leaves out the reports that this release counted already. Its last-seen marks are
 * dropped: SDKs are seen again within a minute. Throws errors of the database.
 */
export async function batchesOfReports(
  deps: JobDeps,
  messages: readonly EarlierMessage[],
): Promise<UndeliveredBatch[]> {
  const reports = messages.filter((message) => message.kind === "report");
  if (reports.length === 0) return [];
  const environmentIds = reports.map(({ environmentId }) => environmentId);
  const [counted, projects] = await Promise.all([
    findCounted(
      deps.db,
      reports.map(({ id }) => id),
    ),
    findProjects(deps.db, environmentIds),
  ]);
  return reports.flatMap((report): UndeliveredBatch[] => {
    const projectId = projects.get(report.environmentId);
    if (projectId === undefined || counted.has(report.id)) return [];
    const object = deps.usage.objectOf(projectId, report.environmentId);
    return [{ kind: "batch", object, body: JSON.stringify(batchOf(projectId, report)) }];
  });
}

/** Returns a batch whose sender is the report itself. */
const batchOf = (projectId: number, report: EarlierReport): UsageBatch => {
  const { id, environmentId, at, instance, evaluations } = report;
  const { appName = "", instanceId = "" } = instance ?? {};
  return {
    kind: "batch",
    projectId,
    sender: id,
    sequence: 1,
    reports: [{ environmentId, at, appName, instanceId, evaluations }],
    keys: [],
    instances: [],
  };
};
