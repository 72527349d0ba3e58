import type { Actor } from "@feature-flags/permissions/permissions";

/** The actor and the request of a write. Every audit record stores them. */
export interface Origin {
  readonly actor: Actor;
  readonly traceId: string;
  readonly ip: string | undefined;
  /** The reason for the change, from the request header `X-Change-Reason`. */
  readonly reason: string | undefined;
}
