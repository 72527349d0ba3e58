import type { Context } from "hono";
import type { Actor } from "../core/permissions.ts";
import type { Trace } from "./trace.ts";

/** Finds the actor behind a bearer token; undefined: the token is worth nothing. */
export type Identify = (token: string) => Promise<Actor | undefined>;

/** What the wire kit keeps for the time of a request. */
export interface HttpVariables {
  trace: Trace;
  actor: Actor;
  identify: Identify;
}

export type HttpContext = Context<{ Variables: HttpVariables }>;
