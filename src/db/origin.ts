import type { Actor } from "@feature-flags/permissions/permissions";

/** Who writes, and in which request: what every audit record tells. */
export interface Origin {
  readonly actor: Actor;
  readonly traceId: string;
  readonly ip: string | undefined;
  /** The writer's own words, `X-Change-Reason`. */
  readonly reason: string | undefined;
}
