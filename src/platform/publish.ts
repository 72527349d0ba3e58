import { buildRules } from "../client/build.ts";
import type { Revision } from "../db/commit.ts";
import { now, wait } from "./clock.ts";
import { openSession } from "./database.ts";
import { edgeStore } from "./edge-store.ts";
import { observeQuery, edgeMeter } from "./metrics.ts";

/** KV takes one write a second for a key: the last of a burst of changes may have to come again. */
const TRY_AGAIN_MS = [1_500, 4_500] as const;

/**
 * Puts the rules of each environment where every location finds them; the answers do not depend on
 * it. Errors: what the last try failed with.
 */
export async function publish(
  env: Env,
  revisions: readonly Revision[],
  fault: (what: string, error: unknown) => void,
): Promise<void> {
  // One at a time: a project may have 50 environments of 5,000 flags, an isolate 128 MB.
  for (const { environmentId } of revisions) await insist(() => publishOne(env, environmentId));

  async function insist(work: () => Promise<void>): Promise<void> {
    for (const pause of TRY_AGAIN_MS)
      try {
        await work();
        return;
      } catch (error) {
        fault("rule store", error);
        await wait(pause);
      }
    await work();
  }
}

/** The newest there is, so that a later try puts nothing older back. */
async function publishOne(env: Env, environmentId: number): Promise<void> {
  const session = openSession(env.DB, "first-primary", observeQuery);
  const snapshot = await buildRules(edgeMeter.builds, now, session, environmentId);
  if (snapshot) await edgeStore(env.EDGE).putSnapshot(snapshot);
}
