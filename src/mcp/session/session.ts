import { callBy, type RequestCall } from "../../access/call.ts";
import type { AgentActor } from "./agent.ts";
import type { McpPorts } from "./ports.ts";

/** Who sends a message, and what the tools need to answer. */
export interface AgentSession {
  readonly actor: AgentActor;
  /** The name of the agent in the audit trail. */
  readonly via: string;
  /** Whether the session has the tools that write. */
  readonly canWrite: boolean;
  /** The base URL of the dashboard. */
  readonly publicUrl: string;
  readonly traceId: string;
  readonly ports: McpPorts;
}

/** Returns the call of a tool. The reason is that of its changes. */
export const callOfAgent = ({ ports, actor, via }: AgentSession, reason?: string): RequestCall =>
  callBy(ports.open({ reason, via }), actor);
