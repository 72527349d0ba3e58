import type { Committed } from "../db/commit.ts";
import { edge } from "./edge.ts";
import { closeProject, interruptProject, notifyProject } from "./objects/project-streams.ts";
import { wakeScheduler } from "./objects/schedulers.ts";
import { publish, unpublish } from "./publish.ts";
import { closeChannel, type Fault } from "./objects/streams.ts";
import { forgetUsage } from "./objects/usage-objects.ts";

interface AfterCommit {
  readonly committed: Committed;
  /** Sends the webhook deliveries of the change's events to the webhook queue. */
  readonly relay: () => Promise<void>;
  readonly fault: Fault;
}

/**
 * Starts the work that follows a commit, and returns the promises of the work. Requests let the
 * work continue after the response; jobs wait for the work. This isolate checks the API keys of the
 * changed environments again at the next request, and so learns the new revision. If the work
 * fails, no change is lost: a cron job sends the webhook deliveries and notifies the event streams,
 * isolates build the rules that KV lacks, and another cron job deletes the rules of deleted environments from KV. Streams of a
 * deleted environment or project get no more events, even if closing them fails.
 */
export function afterCommit(
  env: Env,
  { committed, relay, fault }: AfterCommit,
): readonly Promise<void>[] {
  const { changes, revisions, hasEvents, deletedEnvironments, deletedFlags, planned } = committed;
  const notified = Promise.all(changes.map((change) => notifyProject(env, change, fault)));
  edge.expire(new Set(revisions.map(({ environmentId }) => environmentId)));
  return [
    ...(hasEvents ? [relay()] : []),
    ...(planned ? [wakeScheduler(env, planned)] : []),
    // Closes the streams of a deleted or hidden project after their last event.
    notified.then(() => closeStreams(env, committed, fault)),
    ...deletedEnvironments.map((id) => closeChannel(env, id, fault)),
    ...(deletedFlags.length > 0 ? [forgetUsage(env, deletedFlags)] : []),
    publish(env, revisions, fault),
    unpublish(env, deletedEnvironments, fault),
  ];
}

async function closeStreams(
  env: Env,
  { deletedProject, hidden }: Committed,
  fault: Fault,
): Promise<void> {
  if (deletedProject !== undefined) await closeProject(env, deletedProject, fault);
  if (hidden) await interruptProject(env, hidden, fault);
}
