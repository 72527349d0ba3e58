import { HOUR_MS } from "../../core/lib/time.ts";
import { ApiError } from "../../core/errors/api-error.ts";
import type { UserActor } from "@feature-flags/permissions/permissions";
import { aboutUser } from "../../db/audit.ts";
import type { Rotation } from "../../core/sessions/refresh-family.ts";
import type { Guard, Statement } from "../../db/commit.ts";
import { actAs, type PublicContext } from "../context.ts";
import { findSettings, type SettingsRow } from "../settings/queries.ts";
import { mfaDeadline } from "../settings/schema.ts";
import { signAccessToken } from "./jwt.ts";
import * as queries from "./queries.ts";
import type { UserRow } from "./queries.ts";
import { newFamilyId, newRefreshToken } from "./refresh-token.ts";

/** The tokens of a new or refreshed session, and its user. */
export interface Session {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly user: UserRow;
  /**
   * The time by which the user must have a second factor, in epoch milliseconds. Undefined if none
   * is required.
   */
  readonly mfaEnrollmentDeadline?: number | undefined;
}

/** What a sign-in adds to the start of the session. */
interface SignIn {
  readonly hasMfa: boolean;
  /** These guards and statements are committed together with the new session. */
  readonly guards?: readonly Guard[];
  readonly statements?: readonly Statement[];
}

export const invalidCredentials = () =>
  new ApiError("INVALID_CREDENTIALS", "Wrong e-mail or password");

/** Returns the actor for a user who has just been identified. */
export const actorOf = (user: UserRow, sessionId?: string): UserActor => ({
  kind: "user",
  id: user.id,
  email: user.email,
  role: user.role,
  sessionId,
  projectId: undefined,
  mfaOverdue: false,
});

/**
 * Starts a session: opens a refresh family and commits the session together with the sign-in's
 * statements.
 */
export async function startSession(
  ctx: PublicContext,
  user: UserRow,
  signIn: SignIn,
): Promise<Session> {
  const sessionId = newFamilyId();
  const settings = await findSettings(ctx.db);
  const { refreshToken, rotation } = await nextRefreshToken(ctx, sessionId, settings);
  await ctx.families.open(sessionId, { userId: user.id, ...rotation });
  const now = ctx.now();
  const { userAgent = null, ip = null } = ctx.request;
  await actAs(ctx, actorOf(user, sessionId)).commit({
    guards: signIn.guards ?? [],
    statements: [
      ...(signIn.statements ?? []),
      queries.insertSession({ id: sessionId, userId: user.id, createdAt: now, userAgent, ip }),
      queries.touchUser(user.id, now),
    ],
    audit: aboutUser("session.started", user.id),
    onForeignKey: invalidCredentials(),
  });
  const active = { ...user, lastActiveAt: now };
  const session = await issueSession(ctx, { user: active, sessionId, refreshToken });
  const mfaEnrollmentDeadline = signIn.hasMfa ? undefined : (mfaDeadline(settings) ?? undefined);
  return { ...session, mfaEnrollmentDeadline };
}

/**
 * Returns a session's idle timeout in milliseconds: a session ends when it is not refreshed for
 * this long (docs/decisions.md, 3.11).
 */
export const sessionTimeout = (settings: Pick<SettingsRow, "sessionTimeoutHours">): number =>
  settings.sessionTimeoutHours * HOUR_MS;

/**
 * Creates a refresh token for the family. Returns it with the data that makes it the family's
 * current token.
 */
export async function nextRefreshToken(
  ctx: Pick<PublicContext, "now" | "tokens">,
  familyId: string,
  settings: SettingsRow,
) {
  const { token: refreshToken, hash: nextHash } = await newRefreshToken(familyId);
  const expiresAt = ctx.now() + ctx.tokens.refreshTtlMs;
  const rotation: Rotation = { nextHash, expiresAt, timeoutMs: sessionTimeout(settings) };
  return { refreshToken, rotation };
}

/** Signs an access token for the session, and returns both tokens with the user. */
export async function issueSession(
  ctx: Pick<PublicContext, "now" | "tokens">,
  input: {
    readonly user: UserRow;
    readonly sessionId: string;
    readonly refreshToken: string;
    readonly projectId?: number | undefined;
  },
): Promise<Session> {
  const { user, sessionId, refreshToken, projectId } = input;
  const claims = { userId: user.id, role: user.role, sessionId, projectId };
  const accessToken = await signAccessToken(ctx.tokens, claims, ctx.now());
  return { accessToken, refreshToken, user };
}
