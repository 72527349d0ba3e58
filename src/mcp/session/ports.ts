import type { Edge } from "../../client/edge/edge.ts";
import type { ClientPorts } from "../../client/sources/ports.ts";
import type { Deps, ManagementEnv } from "../../access/deps.ts";

/** What the audit records of a tool call say besides the actor. */
interface ToolOrigin {
  readonly reason: string | undefined;
  readonly via: string;
}

/** What the endpoint for agents needs from the platform during one request. */
export interface McpPorts {
  /** Returns the dependencies of a tool call, whose audit records have this origin. */
  readonly open: (origin: ToolOrigin) => Deps;
  readonly edge: Edge;
  readonly client: ClientPorts;
}

export interface McpEnv {
  Variables: ManagementEnv["Variables"] & { mcp: McpPorts };
}
