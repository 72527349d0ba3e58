import type { Caller } from "@feature-flags/permissions/permissions";
import type { TraceVariables } from "./trace.ts";

/** Counts failed logins and invalid keys by address. `check` throws 429 after too many. */
export interface FailureLimit {
  check(what: "login" | "key"): void;
  count(what: "login" | "key"): void;
}

/** The rate limits of one request. Each method counts the request, and throws 429 above the limit. */
export interface RequestLimits {
  /** By caller, for authenticated requests. */
  caller(actor: Caller): void;
  /** By address, for requests that start or refresh a session. */
  session(): void;
  /** By address, for requests that send an e-mail or use a link from one. */
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
