import type { ActorToken, Caller } from "@feature-flags/permissions/permissions";
import type { TraceVariables } from "./trace.ts";

/**
 * Limits the failed logins and the invalid API keys of each network. `count` counts a failure.
 * `check` throws 429 after too many failures.
 */
export interface FailureLimit {
  check(what: "login" | "key"): void;
  count(what: "login" | "key"): void;
}

/**
 * The rate limits of one request. `caller`, `file`, `session`, `link` and `agentWrite` count the request,
 * and throw 429 above the limit. `failures` counts only failures.
 */
export interface RequestLimits {
  /** Limits authenticated requests, by token, user or API key. */
  caller(actor: Caller): void;
  /** Limits exports, plans and applies of files, as `caller` does. */
  file(actor: Caller): void;
  /** Limits requests that refresh a session or complete a sign-in with a second factor, by network. */
  session(): void;
  /** Limits requests for an e-mail, and requests that use the link of an e-mail, by network. */
  link(): void;
  /** Limits changes by agents, by token. */
  agentWrite(token: ActorToken): void;
  readonly failures: FailureLimit;
}

export interface HttpVariables extends TraceVariables {
  actor: Caller;
  limits: RequestLimits;
  /**
   * Finds the user, the service account or the API key that a bearer token belongs to; undefined if
   * the token is not valid.
   */
  identify: (token: string) => Promise<Caller | undefined>;
  /**
   * Returns whether a route can open a change request with `propose=true`. `name`: its method and path,
   * such as `PUT /api/v1/flags/{id}`. Undefined outside of the management API.
   */
  canPropose?: (name: string) => boolean;
}
