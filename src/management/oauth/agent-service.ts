import { notFound } from "../../core/errors/api-error.ts";
import { authorized, type Call } from "../context.ts";
import type { ById } from "../input.ts";
import { isUnrevoked, revokeToken } from "../tokens/queries.ts";
import { revoked } from "./agent-audit.ts";
import * as queries from "./queries.ts";
import type { AgentRow } from "./queries.ts";

const missing = () => notFound("The agent does not exist");

/** Returns the agents that act for the signed-in user. */
export function listAgents(call: Call): Promise<AgentRow[]> {
  const { db, actor, now } = authorized(call, "token:own");
  return queries.listAgents(db, actor.id, now());
}

/**
 * Revokes the access of an agent of the signed-in user. Later requests with its tokens are 401. Throws:
 * 404 for an unknown agent, or one of another user.
 */
export async function revokeAgent(call: Call, { id }: ById): Promise<void> {
  const ctx = authorized(call, "token:own");
  const agent = await queries.findAgent(ctx.db, id, ctx.actor.id);
  if (!agent) throw missing();
  await ctx.commit({
    guards: [{ holds: isUnrevoked(id), error: missing() }],
    statements: [revokeToken(id, ctx.now())],
    audit: revoked(agent),
  });
}
