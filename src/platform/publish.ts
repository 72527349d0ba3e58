import { buildRules } from "../client/rule-loader.ts";
import type { Revision } from "../db/commit.ts";
import { now, wait } from "./clock.ts";
import { openSession } from "./database.ts";
import { edgeStore } from "./edge-store.ts";
import { observeQuery, clientMetrics } from "./metrics.ts";

/** Pauses before the two retries. KV takes one write a second for a key, so a burst needs them. */
const RETRY_DELAYS_MS = [1_500, 4_500] as const;

/**
 * Writes the snapshot of each environment to KV. Responses do not depend on it: a location without
 * the snapshot builds the rules from the database. Throws: the error of the last attempt.
 */
export async function publish(
  env: Env,
  revisions: readonly Revision[],
  fault: (what: string, error: unknown) => void,
): Promise<void> {
  // One at a time: a project can have 50 environments of 5,000 flags, and an isolate has 128 MB.
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

/** Builds from the primary at each attempt, so that a retry never writes older rules. */
async function publishOne(env: Env, environmentId: number): Promise<void> {
  const session = openSession(env.DB, "first-primary", observeQuery);
  const snapshot = await buildRules(clientMetrics.builds, now, session, environmentId);
  if (snapshot) await edgeStore(env.EDGE).putSnapshot(snapshot);
}
