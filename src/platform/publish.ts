import { buildRules } from "../client/rule-loader.ts";
import type { Revision } from "../db/commit.ts";
import { now, wait } from "./clock.ts";
import { openSession } from "./database.ts";
import { edgeStore } from "./edge-store.ts";
import { observeQuery, clientMetrics } from "./metrics.ts";

/**
 * The pauses before the two retries of a publish, milliseconds. KV accepts one write a second to a
 * key, so several changes in a row need the retries.
 */
const RETRY_DELAYS_MS = [1_500, 4_500] as const;

/**
 * Writes the snapshot of each changed environment to KV. An isolate that finds no new snapshot in
 * KV builds the rules from the database. Throws: the error of the last attempt.
 */
export async function publish(
  env: Env,
  revisions: readonly Revision[],
  fault: (what: string, error: unknown) => void,
): Promise<void> {
  // Environments are published one at a time: the default quotas allow a project 50 environments
  // and 5,000 flags, and an isolate has 128 MB.
  for (const { environmentId } of revisions)
    await withRetries(() => publishOne(env, environmentId));

  async function withRetries(attempt: () => Promise<void>): Promise<void> {
    for (const delay of RETRY_DELAYS_MS)
      try {
        await attempt();
        return;
      } catch (error) {
        fault("rule store", error);
        await wait(delay);
      }
    await attempt();
  }
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
