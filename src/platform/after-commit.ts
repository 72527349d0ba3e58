import { type Change, hasEvents, type Revision } from "../db/commit.ts";
import { edge } from "./edge.ts";
import { publish } from "./publish.ts";

interface Committed {
  readonly change: Change;
  readonly revisions: readonly Revision[];
  /** Sends the webhook deliveries of the change's events to the webhook queue. */
  readonly relay: () => Promise<void>;
  readonly fault: (what: string, error: unknown) => void;
}

/**
 * Starts the work that follows a commit, and returns its promises: a request runs them after its
 * response, a job waits for them. In this isolate, the API keys of the changed environments are
 * checked again with the next request, which shows the new revision. If the work fails, the change
 * is not lost: a cron job sends the deliveries, and isolates build the rules that KV lacks.
 */
export function afterCommit(
  env: Env,
  { change, revisions, relay, fault }: Committed,
): readonly Promise<void>[] {
  edge.expire(new Set(revisions.map(({ environmentId }) => environmentId)));
  return [...(hasEvents(change) ? [relay()] : []), publish(env, revisions, fault)];
}
