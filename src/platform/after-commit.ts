import { type Change, hasEvents, type Revision } from "../db/commit.ts";
import { edge } from "./edge.ts";
import { publish } from "./publish.ts";

interface Committed {
  readonly change: Change;
  readonly revisions: readonly Revision[];
  /** Hands the deliveries of new events to the queue. */
  readonly relay: () => Promise<void>;
  readonly fault: (what: string, error: unknown) => void;
}

/**
 * Drops outdated rules from this isolate's memory, and starts what a commit leads to: handing new
 * events to the queue and publishing the new rules. The change is safe without that work: a cron job
 * relays lost events, and isolates rebuild rules that are missing from KV.
 * Returns the work: a request runs it after its response, a job waits for it.
 */
export function afterCommit(
  env: Env,
  { change, revisions, relay, fault }: Committed,
): readonly Promise<void>[] {
  edge.expire(new Set(revisions.map(({ environmentId }) => environmentId)));
  return [...(hasEvents(change) ? [relay()] : []), publish(env, revisions, fault)];
}
