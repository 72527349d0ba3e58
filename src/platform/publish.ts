import { buildRules } from "../client/rule-loader.ts";
import { withRetries } from "../core/lib/kv-retries.ts";
import type { Revision } from "../db/commit.ts";
import { now, wait } from "./clock.ts";
import { openSession } from "./database.ts";
import { deleteSnapshot, edgeStore, snapshotKey } from "./edge-store.ts";
import { observeQuery, clientMetrics } from "./metrics.ts";

/**
 * Writes the snapshot of each changed environment to KV. An isolate that finds no new snapshot in
 * KV builds the rules from the database. Throws: the error of the last attempt.
 */
export async function publish(
  env: Env,
  revisions: readonly Revision[],
  fault: (what: string, error: unknown) => void,
): Promise<void> {
  // Environments are published one at a time to save memory. The default quotas allow a project 50
  // environments and 5,000 flags, and an isolate has 128 MB.
  for (const { environmentId } of revisions)
    await withRetries("rule store", { wait, fault }, () => publishOne(env, environmentId));
}

/**
 * Builds the snapshot of an environment and writes it to KV. Each attempt reads the primary again,
 * so that a retry does not write rules that have changed since the first attempt.
 */
async function publishOne(env: Env, environmentId: number): Promise<void> {
  const session = openSession(env.DB, "first-primary", observeQuery);
  const snapshot = await buildRules(clientMetrics.builds, now, session, environmentId);
  if (snapshot) await edgeStore(env.EDGE).putSnapshot(snapshot);
}

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
