import type { Actor } from "@feature-flags/permissions/permissions";

/**
 * The actor of a change, and the data of the request that every audit record of the change stores.
 */
export interface Origin {
  readonly actor: Actor;
  readonly traceId: string;
  readonly ip: string | undefined;
  /** The reason for the change, from the request header `X-Change-Reason`. */
  readonly reason: string | undefined;
}
