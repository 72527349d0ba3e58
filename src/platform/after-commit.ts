import { type Change, hasEvents, type Revision } from "../db/commit.ts";
import { edge } from "./edge.ts";
import { publish } from "./publish.ts";

interface Committed {
  readonly change: Change;
  readonly revisions: readonly Revision[];
  /** Sends the webhook deliveries of new events to the queue. */
  readonly relay: () => Promise<void>;
  readonly fault: (what: string, error: unknown) => void;
}

/**
 * Call this after a commit. Drops outdated rules from this isolate's memory, sends new events to
 * the queue and publishes the new rules. A change is not lost when this work fails: a cron job
 * relays lost events, and isolates rebuild rules that are missing from KV. Returns the work: a
 * request runs it after its response, a job waits for it.
 */
export function afterCommit(
  env: Env,
  { change, revisions, relay, fault }: Committed,
): readonly Promise<void>[] {
  edge.expire(new Set(revisions.map(({ environmentId }) => environmentId)));
  return [...(hasEvents(change) ? [relay()] : []), publish(env, revisions, fault)];
}
