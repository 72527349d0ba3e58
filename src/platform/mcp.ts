import type { McpPorts } from "../mcp/session/ports.ts";
import type { Request } from "./background.ts";
import { clientPorts } from "./client-ports.ts";
import { managementDeps } from "./deps.ts";
import { edge } from "./edge.ts";

/** Returns the ports of the endpoint for agents for one request. An agent never bypasses an approval. */
export const mcpPorts = (
  env: Env,
  ctx: Pick<ExecutionContext, "waitUntil">,
  { request, url }: { readonly request: Request; readonly url: string },
): McpPorts => ({
  open: (origin) =>
    managementDeps(env, ctx, { request: { ...request, ...origin, bypass: false }, url }).deps,
  edge,
  client: clientPorts(env, ctx, () => request),
});
