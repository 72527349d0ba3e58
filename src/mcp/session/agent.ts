import { type ActorToken, tokenOf, type TokenOwner } from "@feature-flags/permissions/permissions";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { ApiError, unauthorized } from "../../core/errors/api-error.ts";
import { loopbackOrigin } from "../../core/lib/public-url.ts";
import { AGENT_SCOPES, type AgentScope, challengeOf } from "../../core/oauth/endpoints.ts";
import { bearerToken } from "../../http/access.ts";
import { assertAllowed } from "../../http/permission.ts";
import type { McpEnv } from "./ports.ts";

/** Somebody who acts through an agent. The token says what the agent may do in their name. */
export type AgentActor = TokenOwner & { readonly token: ActorToken };

/**
 * Returns the owner of the token with which an agent calls. Only tokens count, because they say what
 * they may do. An API key and the access token of a session do not. Throws: 401.
 */
async function identifyAgent(c: Context<McpEnv>): Promise<AgentActor> {
  const bearer = bearerToken(c.req.header("Authorization"));
  const actor = bearer === undefined ? undefined : await c.var.identify(bearer);
  const token = actor && tokenOf(actor);
  if (!token || actor.kind === "key") {
    const error = bearer === undefined ? undefined : ("invalid_token" as const);
    const challenge = challengeOf(c.var.deps.publicUrl, { error, scopes: AGENT_SCOPES });
    throw unauthorized("A token is required; create one on the page of your account", challenge);
  }
  return { ...actor, token };
}

/**
 * Middleware that rejects a request with 401 without a valid token, with 429 above the rate limit of
 * the token, and with 403 if the token has no scope that reads.
 */
export const authenticated = createMiddleware<McpEnv>(async (c, next) => {
  const actor = await identifyAgent(c);
  c.var.limits.caller(actor);
  if (actor.token.scopes.every((scope) => scope === "approve")) throw insufficientScope(c, "read");
  assertAllowed(actor, "flag:read");
  c.set("actor", actor);
  await next();
});

/** The error of a request that needs another scope (RFC 6750, section 3.1). */
export function insufficientScope(c: Context<McpEnv>, scope: AgentScope): ApiError {
  const refusal = { error: "insufficient_scope", scopes: [scope] } as const;
  const challenge = challengeOf(c.var.deps.publicUrl, refusal);
  return new ApiError("FORBIDDEN", `insufficient_scope: the token needs the scope ${scope}`, {
    headers: { "WWW-Authenticate": challenge },
  });
}

/**
 * Middleware that rejects a request from a page of another origin with 403. A page can make the browser
 * of a developer call a service on the same machine. A service that runs there also accepts the pages
 * of other programs on the machine, such as the MCP inspector.
 */
export const ownOrigin = createMiddleware<McpEnv>(async (c, next) => {
  const origin = c.req.header("Origin");
  if (origin !== undefined && !isOwn(origin, c))
    throw new ApiError("FORBIDDEN", "Pages of other origins may not call this path");
  await next();
});

function isOwn(origin: string, { req, var: { deps } }: Context<McpEnv>): boolean {
  const isLocal = loopbackOrigin(req.url) !== undefined;
  if (isLocal && URL.canParse(origin) && loopbackOrigin(origin) !== undefined) return true;
  return deps.publicUrl !== undefined && origin === new URL(deps.publicUrl).origin;
}
