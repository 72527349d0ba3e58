import type { Actor } from "@feature-flags/permissions/permissions";

/** The service itself, such as when it creates the first administrator. */
export interface SystemActor {
  readonly kind: "system";
  readonly name: string;
}

/** Who writes, and in which request: what every audit record tells. */
export interface Origin {
  readonly actor: Actor | SystemActor;
  readonly traceId: string;
  readonly ip: string | undefined;
  /** The writer's own words, `X-Change-Reason`. */
  readonly reason: string | undefined;
}
