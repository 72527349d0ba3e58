import { buildRules } from "../client/rule-loader.ts";
import type { Revision } from "../db/commit.ts";
import { now, wait } from "./clock.ts";
import { openSession } from "./database.ts";
import { edgeStore } from "./edge-store.ts";
import { observeQuery, clientMetrics } from "./metrics.ts";

/**
 * The pauses before the two retries, milliseconds. KV takes only one write a second for a key, so
 * several changes in a row need them.
 */
const RETRY_DELAYS_MS = [1_500, 4_500] as const;

/**
 * Writes the snapshot of each environment to KV. A location that finds no snapshot in KV builds the
 * rules from the database. Throws: the error of the last attempt.
 */
export async function publish(
  env: Env,
  revisions: readonly Revision[],
  fault: (what: string, error: unknown) => void,
): Promise<void> {
  // Environments are published one at a time, because a project can have 50 of 5,000 flags each,
  // and an isolate has 128 MB.
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
 * Each attempt builds the snapshot from the primary again, so that a retry never writes older
 * rules.
 */
async function publishOne(env: Env, environmentId: number): Promise<void> {
  const session = openSession(env.DB, "first-primary", observeQuery);
  const snapshot = await buildRules(clientMetrics.builds, now, session, environmentId);
  if (snapshot) await edgeStore(env.EDGE).putSnapshot(snapshot);
}
