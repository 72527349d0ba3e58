import type { Actor } from "@feature-flags/permissions/permissions";

/** Who made a change, and with which request. Every audit record of the change stores these fields. */
export interface Origin {
  readonly actor: Actor;
  readonly traceId: string;
  readonly ip: string | undefined;
  /** The reason for the change, from the request header `X-Change-Reason`. */
  readonly reason: string | undefined;
  /** The actor for whom the service makes a planned change. Undefined: the actor acts by itself. */
  readonly onBehalfOf?: Actor | undefined;
  /** The program through which the actor acts, such as an agent, as it names itself. */
  readonly via?: string | undefined;
}
