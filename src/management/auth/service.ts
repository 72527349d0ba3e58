import { normalizeEmail } from "../../core/lib/email.ts";
import { sha256 } from "../../core/lib/digest.ts";
import { ApiError, notFound, unauthorized } from "../../core/errors/api-error.ts";
import { aboutUser } from "../../db/audit.ts";
import { actAs, type ManagementContext, type PublicContext, type UserContext } from "../context.ts";
import { findProject, type ProjectRow } from "../projects/queries.ts";
import { findSettings } from "../settings/queries.ts";
import { bootstrapAdministrator } from "./bootstrap.ts";
import { signMfaToken } from "./jwt.ts";
import { attemptPassword } from "./lockout.ts";
import { verifyPassword } from "./password.ts";
import * as queries from "./queries.ts";
import { familyIdOf } from "./refresh-token.ts";
import {
  actorOf,
  invalidCredentials,
  issueSession,
  nextRefreshToken,
  type Session,
  sessionTimeout,
  startSession,
} from "./sign-in.ts";

/** The result of a login with the right password of a user who must now enter the second factor. */
export interface FirstStep {
  readonly mfaToken: string;
}

type FamilyContext = UserContext & Pick<ManagementContext, "families">;

const SYSTEM = { kind: "system", name: "sign-in" } as const;
const sessionEnded = () => unauthorized("The session has ended; sign in again");

/**
 * Signs in with e-mail address and password. A failed login does the same work whether or not the
 * user exists, so that its response time reveals nothing.
 * Throws: 401 INVALID_CREDENTIALS; 429 after too many failed logins from the network or for the
 * address.
 */
export async function login(
  ctx: PublicContext,
  input: { readonly email: string; readonly password: string },
): Promise<Session | FirstStep> {
  const { failures } = ctx.limits;
  failures.check("login");
  const email = normalizeEmail(input.email);
  return attemptPassword(ctx, email, async ({ guards, statements, fail }) => {
    let user = await queries.findUserByEmail(ctx.db, email);
    if (!user && email === ctx.bootstrap?.email) user = await bootstrapAdministrator(ctx);
    const hash = user?.status === "ACTIVE" ? user.passwordHash : null;
    if (!(await verifyPassword(input.password, hash)) || !user) {
      failures.count("login");
      await fail(actAs(ctx, SYSTEM), "session.refused");
      throw invalidCredentials();
    }
    if (!(await queries.hasMfa(ctx.db, user.id)))
      return startSession(ctx, user, { hasMfa: false, guards, statements });
    await actAs(ctx, actorOf(user)).commit({
      guards,
      statements: [],
      audit: aboutUser("session.first-step", user.id),
    });
    return { mfaToken: await signMfaToken(ctx.tokens, user.id, ctx.now()) };
  });
}

/**
 * Exchanges a refresh token for new tokens.
 * Throws: 401 TOKEN_REUSE for a token that was replaced before, which revokes its refresh family,
 * and for a token of a revoked family; 401 UNAUTHORIZED for any other invalid token or an inactive
 * user.
 */
export async function refresh(
  ctx: PublicContext,
  input: { readonly refreshToken: string },
): Promise<Session> {
  const presentedToken = input.refreshToken;
  const sessionId = familyIdOf(presentedToken);
  if (sessionId === undefined) throw unauthorized("The refresh token is not valid");
  // Read the user before the refresh token is replaced: if the database fails here, the caller's
  // refresh token stays valid.
  const [user, settings] = await Promise.all([
    queries.findSessionUser(ctx.db, sessionId),
    findSettings(ctx.db),
  ]);
  const { refreshToken, rotation } = await nextRefreshToken(ctx, sessionId, settings);
  const result = await ctx.families.refresh(sessionId, await sha256(presentedToken), rotation);
  if (result.outcome === "reuse") {
    await actAs(ctx, SYSTEM).commit({
      statements: [],
      audit: aboutUser("session.reuse", result.family.userId),
    });
    throw new ApiError("TOKEN_REUSE", "The refresh token was used before; sign in again");
  }
  if (result.outcome !== "rotated") throw unauthorized("The refresh token is not valid");
  if (user?.status !== "ACTIVE") {
    await ctx.families.revoke(sessionId);
    throw sessionEnded();
  }
  const projectId = result.family.projectId ?? undefined;
  return issueSession(ctx, { user, sessionId, refreshToken, projectId });
}

/**
 * Ends the session of the request's access token by revoking its refresh family. The access token
 * itself stays valid until it expires.
 */
export async function logout(ctx: FamilyContext): Promise<void> {
  if (ctx.actor.sessionId !== undefined) await endSession(ctx, ctx.actor.sessionId);
}

/**
 * Selects the session's project and returns new tokens.
 * Throws: 404 for an unknown project, 401 if the session has ended or the access token belongs to
 * no session.
 */
export async function selectProject(
  ctx: FamilyContext & Pick<ManagementContext, "tokens">,
  { projectId }: { readonly projectId: number },
): Promise<Session & { readonly project: ProjectRow }> {
  const project = await findProject(ctx.db, projectId);
  if (!project) throw notFound("The project does not exist");
  const { id, sessionId } = ctx.actor;
  if (sessionId === undefined)
    throw unauthorized("The access token belongs to no session; sign in again");
  const settings = await findSettings(ctx.db);
  const { refreshToken, rotation } = await nextRefreshToken(ctx, sessionId, settings);
  const [user, isSelected] = await Promise.all([
    queries.findUser(ctx.db, id),
    ctx.families.selectProject(sessionId, projectId, rotation),
  ]);
  if (!user || !isSelected) throw sessionEnded();
  return { ...(await issueSession(ctx, { user, sessionId, refreshToken, projectId })), project };
}

/** A session of the signed-in user. Times are in epoch milliseconds. */
export interface SessionInfo {
  readonly id: string;
  readonly createdAt: number;
  readonly refreshedAt: number;
  readonly expiresAt: number;
  readonly userAgent: string | null;
  readonly ip: string | null;
  /** Whether the request's access token belongs to this session. */
  readonly current: boolean;
}

/** Returns the active ones among the signed-in user's newest 50 sessions, newest first. */
export async function listSessions(ctx: FamilyContext): Promise<SessionInfo[]> {
  const [rows, settings] = await Promise.all([
    queries.listSessions(ctx.db, ctx.actor.id),
    findSettings(ctx.db),
  ]);
  const timeoutMs = sessionTimeout(settings);
  const families = await Promise.all(rows.map((row) => ctx.families.describe(row.id, timeoutMs)));
  return rows.flatMap((row, n) => {
    const family = families[n];
    if (!family) return [];
    const { refreshedAt, expiresAt } = family;
    const { id, createdAt, userAgent, ip } = row;
    const current = id === ctx.actor.sessionId;
    return { id, createdAt, refreshedAt, expiresAt, userAgent, ip, current };
  });
}

/**
 * Ends one session of the signed-in user. Throws: 404 if the session does not exist or belongs to
 * another user.
 */
export async function revokeSession(
  ctx: FamilyContext,
  { sessionId }: { readonly sessionId: string },
): Promise<void> {
  const owner = await queries.findSessionUser(ctx.db, sessionId);
  if (owner?.id !== ctx.actor.id) throw notFound("The session does not exist");
  await endSession(ctx, sessionId);
}

async function endSession(ctx: FamilyContext, sessionId: string): Promise<void> {
  await ctx.families.revoke(sessionId);
  await ctx.commit({
    statements: [queries.deleteSession(sessionId)],
    audit: aboutUser("session.ended", ctx.actor.id),
  });
}
