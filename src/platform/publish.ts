import { buildRules } from "../client/rules/rule-loader.ts";
import { withRetries } from "../core/lib/kv-retries.ts";
import { deltaOf } from "../core/stream/delta.ts";
import type { Snapshot } from "../core/rules/snapshot.ts";
import type { Revision } from "../db/commit.ts";
import { now, wait } from "./runtime/clock.ts";
import { openSession } from "./bindings/database.ts";
import { deleteSnapshot, edgeStore, snapshotKey } from "./bindings/edge-store.ts";
import { observeQuery, clientMetrics } from "./runtime/metrics.ts";
import { notifyStreams } from "./objects/streams.ts";

/**
 * Writes the snapshot of each changed environment to KV, and notifies its event streams. An isolate
 * that finds no new snapshot in KV builds the rules from the database. All first attempts are made
 * before any second attempt, so that a failure does not delay the notifications of the other
 * environments. Throws: the error of the last attempt at the first environment that failed.
 */
export async function publish(
  env: Env,
  revisions: readonly Revision[],
  fault: (what: string, error: unknown) => void,
): Promise<void> {
  const notifications: Promise<void>[] = [];
  const notified = new Set<number>();
  let left = revisions;
  // Publishes one environment at a time to save memory. The default quotas allow a project 50
  // environments and 5,000 flags, and an isolate has 128 MB.
  const attempt = async () => {
    const failed: Revision[] = [];
    const errors: unknown[] = [];
    for (const changed of left)
      await publishOne(env, changed, (snapshot) => {
        if (notified.has(changed.environmentId)) return;
        notified.add(changed.environmentId);
        notifications.push(notifyStreams(env, changeOf(changed, snapshot), fault));
      }).catch((error: unknown) => {
        failed.push(changed);
        errors.push(error);
      });
    left = failed;
    const [first, ...others] = errors;
    for (const error of others) fault("rule store", error);
    if (failed.length > 0) throw first;
  };
  try {
    await withRetries("rule store", { wait, fault }, attempt);
  } finally {
    await Promise.all(notifications);
  }
}

/**
 * Builds the snapshot of an environment and writes it to KV. Each attempt reads the primary again, so that a
 * retry does not write rules that have changed since the first attempt. After the first attempt, successful
 * or not, notifies the clients. If KV lacks the rules, isolates build them from the database.
 */
async function publishOne(
  env: Env,
  { environmentId }: Revision,
  notify: (snapshot: Snapshot | undefined) => void,
): Promise<void> {
  const session = openSession(env.DB, "first-primary", observeQuery);
  let snapshot: Snapshot | undefined;
  try {
    snapshot = await buildRules(clientMetrics.builds, now, session, environmentId);
    if (snapshot) await edgeStore(env.EDGE).putSnapshot(snapshot);
  } finally {
    notify(snapshot);
  }
}

/**
 * Returns the change to send to the event streams. If the snapshot has a newer revision, the change
 * has that revision.
 */
const changeOf = ({ environmentId, revision }: Revision, snapshot: Snapshot | undefined) =>
  snapshot
    ? { environmentId, revision: snapshot.revision, delta: deltaOf(snapshot, revision - 1) }
    : { environmentId, revision };

/**
 * Deletes the snapshots of deleted environments from KV. Throws: the error of the last attempt; the
 * job `sweepSnapshots` then deletes the snapshots.
 */
export async function unpublish(
  env: Env,
  environmentIds: readonly number[],
  fault: (what: string, error: unknown) => void,
): Promise<void> {
  for (const id of environmentIds)
    await withRetries("rule store", { wait, fault }, () =>
      deleteSnapshot(env.EDGE, snapshotKey(id)),
    );
}
