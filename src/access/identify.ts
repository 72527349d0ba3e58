import { TokenBucket } from "../core/lib/token-bucket.ts";
import { hasRightChecksum, isAgentToken, tokenHash } from "../core/credentials/access-token.ts";
import { clientText } from "../core/oauth/client-id.ts";
import { kindOfToken } from "../core/credentials/token-kind.ts";
import { sha256 } from "../core/lib/digest.ts";
import { DAY_MS } from "../core/lib/time.ts";
import {
  type Caller,
  onlyProjects,
  type ServiceActor,
  type TokenOwner,
  type UserActor,
} from "@feature-flags/permissions/permissions";
import type { ReadDb } from "../db/database.ts";
import type { Visitor } from "./call.ts";
import { isUseDue, reportRevoked } from "./token-use.ts";
import { mfaDeadline } from "../model/settings/mfa-deadline.ts";
import {
  findActor,
  findActorById,
  findKey,
  findKeyById,
  findServiceActor,
  findToken,
  markTokenUsed,
} from "../model/auth/queries.ts";
import { verifyAccessToken } from "./jwt.ts";

/**
 * Above this many API keys and tokens a second, an isolate looks up none of a network that has sent too
 * many unknown ones. Below it, one of them can be valid, and works. The limit protects the database.
 */
const LOOKUPS_PER_SECOND = 50;
const lookups = new TokenBucket(LOOKUPS_PER_SECOND);

/**
 * Returns the caller who sent a bearer token: an API key, a token or the access token of a session. Returns
 * undefined for an invalid token, an access token whose session has ended, or an inactive user. Reads a
 * user's role and status from the database, so that a change of them applies to existing tokens. `forAgents`:
 * whether the request is for the MCP endpoint, which alone accepts the tokens of agents. Throws: 429 for an
 * unknown API key or token from a network that has sent too many of them.
 */
export async function identify(
  ctx: Visitor,
  token: string,
  forAgents: boolean,
): Promise<Caller | undefined> {
  const kind = kindOfToken(token);
  if (kind === "api-key") {
    const key = await lookUp(ctx, async () => findKey(ctx.db, await sha256(token)));
    return key && { kind: "key", ...key };
  }
  if (kind === "token") {
    if (!hasRightChecksum(token) || (isAgentToken(token) && !forAgents)) return undefined;
    const found = await lookUp(ctx, async () => findToken(ctx.db, await tokenHash(token)));
    return found && callerWith(ctx, found);
  }
  if (kind !== "access-token") return undefined;
  const claims = await verifyAccessToken(ctx.tokens, token, ctx.now());
  if (!claims) return undefined;
  const found = await findActor(ctx.db, claims);
  const { sessionId, projectId } = claims;
  return found && userActor(found, ctx.now(), { sessionId, projectId });
}

/** Returns what `find` finds. If it finds nothing, counts a failure of the caller's network. */
async function lookUp<T>(
  { limits: { failures }, now }: Visitor,
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  if (!lookups.take(now())) failures.check("key");
  const found = await find();
  if (found) return found;
  failures.check("key");
  failures.count("key");
  return undefined;
}

/** After how long without a sign-in the tokens of a user stop working, milliseconds. */
const MAX_ABSENCE_MS = 90 * DAY_MS;

/**
 * Returns the owner of a token as an actor. Undefined if the token was revoked or has expired, or if its
 * owner is a user who is not active or has not signed in for 90 days. After the response, records the use.
 */
function callerWith(
  ctx: Visitor,
  { token, ...owner }: NonNullable<Awaited<ReturnType<typeof findToken>>>,
): TokenOwner | undefined {
  const now = ctx.now();
  const { user, account } = owner;
  if (token.revokedAt !== null || (user === null && account === null)) {
    reportRevoked(ctx, token);
    return undefined;
  }
  if (token.expiresAt <= now) return undefined;
  if (user && (user.lastActiveAt ?? token.createdAt) <= now - MAX_ABSENCE_MS) return undefined;
  const actor = user
    ? withoutSession({ ...owner, user }, now)
    : account && serviceActor({ ...owner, account });
  if (!actor) return undefined;
  if (isUseDue(token.lastUsedAt, now)) ctx.later(ctx.record([markTokenUsed(token.id, now)]));
  const { id, name, scopes, projectIds, environmentIds, clientId } = token;
  const client = clientId === null ? undefined : clientText({ clientId, name });
  const limited = { ...actor, token: { id, name, scopes, projectIds, environmentIds, client } };
  const [only, other] = onlyProjects(limited) ?? [];
  return other === undefined ? { ...limited, projectId: only } : limited;
}

/** Returns a service account as an actor. A role in its only project applies nowhere else. */
function serviceActor({
  account: { id, name, role, projectId },
  hiddenProjects,
}: NonNullable<Awaited<ReturnType<typeof findServiceActor>>>): ServiceActor {
  return {
    kind: "service-account",
    id,
    name,
    role,
    projectRoles: new Map(),
    hiddenProjects: new Set(projectId === null ? hiddenProjects : []),
    ownProject: projectId ?? undefined,
    projectId: projectId ?? undefined,
  };
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
 * Returns a user who acts without a session, by a token or as who has planned a change. Only a session
 * says whether an identity provider has asked for a second factor, so somebody with an account at a
 * provider does not need one here.
 */
const withoutSession = (found: Omit<Found, "sessionMfa">, now: number): UserActor | undefined =>
  userActor({ ...found, sessionMfa: found.user.hasIdentity }, now, {
    sessionId: undefined,
    projectId: undefined,
  });

/**
 * Returns who has planned a change, with the rights that they have now. The limits of the token with
 * which they have planned it were checked then. Undefined: the user is not active any more, or the
 * service account or the API key was deleted.
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
  if (kind === "service-account") {
    const account = await findServiceActor(db, id);
    return account && serviceActor(account);
  }
  const found = await findActorById(db, id);
  return found && withoutSession(found, now);
}
