import type { Caller } from "@feature-flags/permissions/permissions";
import type { TraceVariables } from "./trace.ts";

/** What an address got wrong lately. `check` throws 429 when that is too much. */
export interface FailureLimit {
  check(what: "login" | "key"): void;
  count(what: "login" | "key"): void;
}

/** The rate limits of one request; each counts it, and throws 429 when it is one too many. */
export interface RequestLimits {
  /** Of somebody who is signed in. */
  caller(actor: Caller): void;
  /** Of an address, for what goes on with a session. */
  session(): void;
  /** Of an address, for what sends a mail, or sets a password by one. */
  link(): void;
  readonly failures: FailureLimit;
}

/** What the wire kit keeps for the time of a request. */
export interface HttpVariables extends TraceVariables {
  actor: Caller;
  limits: RequestLimits;
  /** Finds the actor behind a bearer token; undefined: the token is worth nothing. */
  identify: (token: string) => Promise<Caller | undefined>;
}
