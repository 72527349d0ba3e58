import type { Caller } from "@feature-flags/permissions/permissions";
import type { TraceVariables } from "./trace.ts";

/**
 * Counts failed logins and invalid keys by the caller's network. `check` throws 429 after too many.
 */
export interface FailureLimit {
  check(what: "login" | "key"): void;
  count(what: "login" | "key"): void;
}

/** The rate limits of one request. Each method counts the request, and throws 429 above the limit. */
export interface RequestLimits {
  /** Limits authenticated requests by caller. */
  caller(actor: Caller): void;
  /** Limits requests that start or refresh a session, by network. */
  session(): void;
  /** Limits requests that send an e-mail or use a link from one, by network. */
  link(): void;
  readonly failures: FailureLimit;
}

/** What the HTTP layer keeps in the Hono context during a request. */
export interface HttpVariables extends TraceVariables {
  actor: Caller;
  limits: RequestLimits;
  /** Finds the caller with the bearer token; undefined: the token is not valid. */
  identify: (token: string) => Promise<Caller | undefined>;
}
