import { notFound } from "../../core/errors/api-error.ts";
import { type Call, ownAccount } from "../../access/call.ts";
import type { ById } from "../../core/lib/input.ts";
import { listedUser, mayEnd, type OfUser, ownerIfOther, tellOwner } from "../tokens/of-user.ts";
import { isUnrevoked, revokeToken } from "../../model/tokens/queries.ts";
import { revoked } from "./agent-audit.ts";
import * as queries from "../../model/oauth/queries.ts";
import type { AgentRow } from "../../model/oauth/queries.ts";

const missing = () => notFound("The agent does not exist");

/**
 * Returns the agents that act for a user. Throws: 403 for another user, unless the caller is an
 * administrator.
 */
export function listAgents(call: Call, ofUser: OfUser): Promise<AgentRow[]> {
  const { db, userId } = listedUser(call, ofUser);
  return queries.listAgents(db, userId, call.now());
}

/**
 * Revokes the access of an agent. Later requests with its tokens are 401. Throws: 404 for an unknown
 * agent, and for one of another user, unless the caller is an administrator.
 */
export async function revokeAgent(call: Call, { id }: ById): Promise<void> {
  const ctx = ownAccount(call, "token:own");
  const agent = await queries.findAgent(ctx.db, id);
  if (!agent || !mayEnd(ctx.actor, agent.userId)) throw missing();
  await ctx.commit({
    guards: [{ holds: isUnrevoked(id), error: missing() }],
    statements: [revokeToken(id, ctx.now())],
    audit: revoked(agent, ownerIfOther(ctx.actor, agent)),
  });
  tellOwner(call, agent, "agent");
}
