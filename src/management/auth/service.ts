import type { UserActor } from "@feature-flags/permissions/permissions";
import { normalizeEmail } from "../../core/lib/email.ts";
import { sha256 } from "../../core/lib/digest.ts";
import { DAY_MS } from "../../core/lib/time.ts";
import { ApiError, notFound, unauthorized } from "../../core/errors/api-error.ts";
import { aboutUser } from "../../db/audit.ts";
import { COUNTED_REFUSAL } from "../../db/schema/records.ts";
import {
  asSystem,
  asUser,
  type Call,
  ownAccount,
  type RequestCall,
  type Visitor,
  type Writing,
} from "../../access/call.ts";
import type { ProjectRow } from "../../model/projects/queries.ts";
import { unknownProject, visibleProject } from "../../access/scope.ts";
import { DEFAULT_SETTINGS, findSettings } from "../../model/settings/queries.ts";
import { bootstrapAdministrator } from "../../workflows/sign-in/bootstrap.ts";
import { deviceIdOf, digestOfPassword } from "../../workflows/sign-in/device.ts";
import { signMfaToken, verifyDeviceToken } from "../../access/jwt.ts";
import { attemptPassword } from "../../workflows/sign-in/lockout.ts";
import { type DeriveKey, verifyPassword } from "../../access/password.ts";
import { mayUsePassword, refusePassword } from "../../workflows/sign-in/password-sign-in.ts";
import * as queries from "../../model/auth/queries.ts";
import type { SessionRow } from "../../model/auth/queries.ts";
import { familyIdOf } from "../../workflows/sign-in/refresh-token.ts";
import {
  accessTokenOf,
  type FirstStep,
  invalidCredentials,
  issueSession,
  nextRefreshToken,
  type NewSession,
  sessionTimeout,
  startSession,
} from "../../workflows/sign-in/sign-in.ts";

interface Credentials {
  readonly email: string;
  readonly password: string;
  /** The device token of an earlier sign-in. An invalid one is ignored. */
  readonly deviceToken?: string | undefined;
}

const SYSTEM = "sign-in";
const sessionEnded = () => unauthorized("The session has ended; sign in again");
const notValid = () => unauthorized("The refresh token is not valid");

/**
 * Signs in with e-mail address and password. A failed login does the same work whether or not the user
 * exists, so that its response time reveals nothing. Throws: 401 INVALID_CREDENTIALS; 403 for the right
 * password if passwords are turned off; 429 after too many failed logins from the network or for the address;
 * 429 or 503 if too many logins run at a time.
 */
export async function login(ctx: Visitor, input: Credentials): Promise<NewSession | FirstStep> {
  ctx.limits.failures.check("login");
  const { deviceToken = "", password } = input;
  const email = normalizeEmail(input.email);
  const find = () => queries.findSignIn(ctx.db, email);
  const device = await verifyDeviceToken(ctx.tokens, deviceToken, ctx.now());
  // Reads the user before the line if the login has a device token, because only the user's row
  // tells whether the token is valid for the e-mail address. The token of another user, who may
  // have been removed, does not count. Without a device token, one query later finds the user and
  // the lock.
  const early = device && { found: await find() };
  const deviceId = await deviceIdOf(device, early?.found?.user);
  return ctx.hashing(deviceId === undefined ? undefined : device?.userId, (derive) =>
    checkPassword(ctx, {
      email,
      password,
      derive,
      deviceId,
      find: async () => (early ? early.found : find()),
    }),
  );
}

/** What a login knows when its turn to check the password comes. */
interface Attempt {
  readonly email: string;
  readonly password: string;
  readonly derive: DeriveKey;
  /** The id of the device if the user has signed in on it before. */
  readonly deviceId: string | undefined;
  readonly find: () => ReturnType<typeof queries.findSignIn>;
}

async function checkPassword(ctx: Visitor, attempt: Attempt): Promise<NewSession | FirstStep> {
  const { email, password, derive, deviceId, find } = attempt;
  return attemptPassword(ctx, { email, deviceId }, async ({ guards, statements, fail }) => {
    let found = await find();
    if (!found && email === ctx.bootstrap?.email) {
      await bootstrapAdministrator(ctx, derive);
      found = await queries.findSignIn(ctx.db, email);
    }
    const hash = found?.user.status === "ACTIVE" ? found.user.passwordHash : null;
    if (!(await verifyPassword(derive, password, hash)) || !found) {
      ctx.limits.failures.count("login");
      await fail(asSystem(ctx, SYSTEM), found ? "session.refused" : COUNTED_REFUSAL);
      throw invalidCredentials();
    }
    const { user, secondFactors, passwordSignIn } = found;
    if (!mayUsePassword(ctx, user, passwordSignIn))
      throw await refusePassword(ctx, user, { guards, statements });
    if (secondFactors.length === 0)
      return startSession(ctx, user, { hasMfa: false, deviceId, guards, statements });
    await asUser(ctx, user).commit({
      guards,
      statements: [],
      audit: aboutUser("session.first-step", user.id),
    });
    const claims = { userId: user.id, passwordDigest: await digestOfPassword(user) };
    return { mfaToken: await signMfaToken(ctx.tokens, claims, ctx.now()), secondFactors };
  });
}

/**
 * Exchanges a refresh token for new tokens. Throws: 401 TOKEN_REUSE if a refresh token of the
 * session was used twice, which ends the session; 401 UNAUTHORIZED for any other invalid token, a
 * session that has ended or an inactive user.
 */
export async function refresh(
  ctx: Visitor,
  input: { readonly refreshToken: string },
): Promise<NewSession> {
  const presentedToken = input.refreshToken;
  const sessionId = familyIdOf(presentedToken);
  // Reads the session before the refresh token is replaced. If the database fails here, the
  // caller's refresh token stays valid. An invented token costs no call of a Durable Object.
  const found = sessionId === undefined ? undefined : await queries.findSession(ctx.db, sessionId);
  if (!found) throw notValid();
  const { session, user, hiddenProjects, sessionTimeoutHours } = found;
  const endsAt = session.endsAt ?? undefined;
  if (endsAt !== undefined && endsAt <= ctx.now()) throw await refuseRefresh(ctx, session);
  const timeout = {
    sessionTimeoutHours: sessionTimeoutHours ?? DEFAULT_SETTINGS.sessionTimeoutHours,
  };
  const { refreshToken, rotation } = await nextRefreshToken(ctx, session.id, timeout, endsAt);
  const { outcome } = await ctx.families.refresh(
    session.id,
    await sha256(presentedToken),
    rotation,
  );
  if (outcome === "unknown") throw notValid();
  if (outcome === "reuse") throw await refuseReuse(ctx, session);
  if (outcome === "expired" || user.status !== "ACTIVE") throw await refuseRefresh(ctx, session);
  if (session.refreshedAt + DAY_MS <= ctx.now())
    ctx.later(ctx.record([queries.markRefreshed(session.id, ctx.now())]));
  const selected = session.projectId ?? undefined;
  const projectId =
    selected !== undefined && hiddenProjects.includes(selected) ? undefined : selected;
  return issueSession(ctx, { user, sessionId: session.id, refreshToken, projectId, endsAt });
}

/**
 * Ends the session of a refresh token that was presented a second time. Only the first such refusal
 * of a session is audited, so that a thief cannot fill the audit trail. Returns the error.
 */
async function refuseReuse(ctx: Visitor, session: SessionRow): Promise<ApiError> {
  const error = new ApiError("TOKEN_REUSE", "The refresh token was used before; sign in again");
  if (session.reusedAt !== null) return error;
  await asSystem(ctx, SYSTEM).commit({
    guards: [{ holds: queries.sessionLives(session.id), error }],
    statements: [queries.markReused(session.id, ctx.now())],
    audit: aboutUser("session.reuse", session.userId),
  });
  return error;
}

/** Deletes the session of a refresh token that has expired, or of an inactive user. */
async function refuseRefresh(ctx: Visitor, session: SessionRow): Promise<ApiError> {
  const error = sessionEnded();
  await asSystem(ctx, SYSTEM).commit({
    guards: [{ holds: queries.sessionLives(session.id), error }],
    statements: [queries.deleteSession(session.id)],
    audit: aboutUser("session.refresh-refused", session.userId),
  });
  return error;
}

/** Ends the session of the request's access token. All its tokens are rejected from then on. */
export async function logout(call: Call): Promise<void> {
  const ctx = ownAccount(call, "session:own");
  if (ctx.actor.sessionId !== undefined) await endSession(ctx, ctx.actor.sessionId);
}

/** The result of `selectProject`: an access token with the project in its claims. */
export type SelectedProject = Omit<NewSession, "refreshToken"> & { readonly project: ProjectRow };

/**
 * Selects the session's project and returns a new access token. Returns no new refresh token: the
 * caller's refresh token stays valid, and a stolen access token must not be exchanged for a session
 * of 30 days. Throws: 404 for an unknown project, 401 if the session has ended.
 */
export async function selectProject(
  call: Call & Pick<RequestCall, "tokens">,
  { projectId }: { readonly projectId: number },
): Promise<SelectedProject> {
  const ctx = ownAccount(call, "session:own");
  const { sessionId = "" } = ctx.actor;
  const visible = visibleProject(ctx.actor, projectId);
  const found = await queries.findSessionAndProject(ctx.db, sessionId, visible);
  if (!found) throw sessionEnded();
  const { session, user, project } = found;
  if (!project) throw unknownProject();
  if (session.projectId !== projectId)
    await ctx.commit({
      statements: [queries.setSessionProject(sessionId, projectId)],
      audit: aboutUser("session.project-selected", user.id, {
        before: { projectId: session.projectId },
        after: { projectId },
      }),
      onForeignKey: unknownProject(),
    });
  const endsAt = session.endsAt ?? undefined;
  const accessToken = await accessTokenOf(ctx, { user, sessionId, projectId, endsAt });
  return { accessToken, user, project };
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

/** Returns the sessions of the signed-in user that have not ended, newest first: at most 50. */
export async function listSessions(
  call: Call & Pick<RequestCall, "families">,
): Promise<SessionInfo[]> {
  const ctx = ownAccount(call, "session:own");
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
  call: Call,
  { sessionId }: { readonly sessionId: string },
): Promise<void> {
  const ctx = ownAccount(call, "session:own");
  const found = await queries.findSession(ctx.db, sessionId);
  if (found?.user.id !== ctx.actor.id) throw notFound("The session does not exist");
  await endSession(ctx, sessionId);
}

async function endSession(ctx: Writing<UserActor>, sessionId: string): Promise<void> {
  await ctx.commit({
    statements: [queries.deleteSession(sessionId)],
    audit: aboutUser("session.ended", ctx.actor.id),
  });
}
