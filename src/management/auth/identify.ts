import { TokenBucket } from "../../core/lib/token-bucket.ts";
import { kindOfToken } from "../../core/credentials/token-kind.ts";
import { sha256 } from "../../core/lib/digest.ts";
import type { Caller } from "@feature-flags/permissions/permissions";
import type { PublicContext } from "../context.ts";
import { mfaDeadline } from "../settings/schema.ts";
import { findActor, findKey } from "./queries.ts";
import { verifyAccessToken } from "./jwt.ts";

/**
 * Above this many API keys a second, an isolate looks up none of a network that has sent too many
 * unknown keys. Below it, one of them can be valid, and works. The limit protects the database.
 */
const LOOKUPS_PER_SECOND = 50;
const lookups = new TokenBucket(LOOKUPS_PER_SECOND);

/**
 * Returns the caller who sent a bearer token: an API key or an access token. Returns undefined for an
 * invalid token, an access token whose session has ended, or an inactive user. Reads a user's role
 * and status from the database, so that a change of them applies to existing access tokens.
 * Throws: 429 for an unknown API key from a network that has sent too many of them.
 */
export async function identify(
  ctx: Pick<PublicContext, "db" | "limits" | "now" | "tokens">,
  token: string,
): Promise<Caller | undefined> {
  const kind = kindOfToken(token);
  if (kind === "api-key") {
    const { failures } = ctx.limits;
    if (!lookups.take(ctx.now())) failures.check("key");
    const key = await findKey(ctx.db, await sha256(token));
    if (key) return { kind: "key", ...key };
    failures.check("key");
    failures.count("key");
    return undefined;
  }
  if (kind !== "access-token") return undefined;
  const claims = await verifyAccessToken(ctx.tokens, token, ctx.now());
  if (!claims) return undefined;
  const found = await findActor(ctx.db, claims);
  if (found?.user.status !== "ACTIVE") return undefined;
  const { user, hasMfa, requireMfaSince } = found;
  const deadline = mfaDeadline({ requireMfa: found.requireMfa ?? false, requireMfaSince });
  return {
    kind: "user",
    id: user.id,
    email: user.email,
    role: user.role,
    sessionId: claims.sessionId,
    projectId: claims.projectId,
    mfaOverdue: !hasMfa && deadline !== null && deadline <= ctx.now(),
  };
}
