import { TokenBucket } from "../../core/lib/token-bucket.ts";
import { kindOfToken } from "../../core/credentials/token-kind.ts";
import { sha256 } from "../../core/lib/digest.ts";
import type { Caller, UserActor } from "@feature-flags/permissions/permissions";
import type { ReadDb } from "../../db/database.ts";
import type { PublicContext } from "../context.ts";
import { mfaDeadline } from "../settings/schema.ts";
import { findActor, findActorById, findKey, findKeyById } from "./queries.ts";
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
  const { sessionId, projectId } = claims;
  return found && userActor(found, ctx.now(), { sessionId, projectId });
}

type Found = NonNullable<Awaited<ReturnType<typeof findActor>>>;

/** Returns a user as an actor with a session, if the user is active. */
function userActor(
  { user, projectRoles, hiddenProjects, hasMfa, sessionMfa, requireMfa, requireMfaSince }: Found,
  now: number,
  session: Pick<UserActor, "sessionId" | "projectId">,
): UserActor | undefined {
  if (user.status !== "ACTIVE") return undefined;
  const deadline = mfaDeadline({ requireMfa: requireMfa ?? false, requireMfaSince });
  return {
    kind: "user",
    id: user.id,
    email: user.email,
    role: user.role,
    projectRoles,
    hiddenProjects: new Set(hiddenProjects),
    ...session,
    mfaOverdue: !hasMfa && !sessionMfa && deadline !== null && deadline <= now,
  };
}

/**
 * Returns who has planned a change, with the rights that they have now. Undefined: the user is not
 * active any more, or the API key was deleted.
 */
export async function plannedActor(
  db: ReadDb,
  { kind, id }: { readonly kind: string | null; readonly id: number | null },
  now: number,
): Promise<Caller | undefined> {
  if (id === null) return undefined;
  if (kind === "key") {
    const key = await findKeyById(db, id);
    return key && { kind: "key", ...key };
  }
  const found = await findActorById(db, id);
  return found && userActor(found, now, { sessionId: undefined, projectId: undefined });
}
