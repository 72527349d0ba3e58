import type { Actor } from "../core/permissions.ts";
import type { TraceVariables } from "./trace.ts";

/** What the wire kit keeps for the time of a request. */
export interface HttpVariables extends TraceVariables {
  actor: Actor;
  /** Finds the actor behind a bearer token; undefined: the token is worth nothing. */
  identify: (token: string) => Promise<Actor | undefined>;
}
