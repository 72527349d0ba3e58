import type { Actor } from "@feature-flags/permissions/permissions";

/** Who writes, and in which request. Every audit record stores it. */
export interface Origin {
  readonly actor: Actor;
  readonly traceId: string;
  readonly ip: string | undefined;
  /** The caller's reason, from the header `X-Change-Reason`. */
  readonly reason: string | undefined;
}
