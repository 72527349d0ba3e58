import { HOUR_MS } from "../../core/lib/time.ts";
import { ApiError } from "../../core/errors/api-error.ts";
import { aboutUser } from "../../db/audit.ts";
import type { Rotation } from "../../core/sessions/refresh-family.ts";
import type { Statement } from "../../db/commit.ts";
import type { Guard } from "../../db/guards.ts";
import type { LocalMethod } from "../../db/schema/people.ts";
import { asUser, type Visitor } from "../../access/call.ts";
import { findSettings, type SettingsRow } from "../../model/settings/queries.ts";
import { mfaDeadline } from "../../model/settings/mfa-deadline.ts";
import { newDeviceToken } from "./device.ts";
import { mailBreakGlass } from "./break-glass.ts";
import { type ProviderSignIn, signAccessToken } from "../../access/jwt.ts";
import { assertPasswordAllowed, passwordsStayOn } from "./password-sign-in.ts";
import * as queries from "../../model/auth/queries.ts";
import type { SecondFactor, UserRow } from "../../model/auth/queries.ts";
import { newFamilyId, newRefreshToken } from "./refresh-token.ts";

/** The tokens of a new or refreshed session, and the session's user. */
export interface NewSession {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly user: UserRow;
  /** The token by which the next login recognises the device. Set only when the session starts. */
  readonly deviceToken?: string;
  /**
   * The time by which the user must have a second factor, in epoch milliseconds. Set only when the
   * session starts, and only if a second factor is required and the user has none.
   */
  readonly mfaEnrollmentDeadline?: number | undefined;
}

/**
 * The result of a first step of a sign-in, with a password or at an identity provider, if the user
 * must still enter the second factor.
 */
export interface FirstStep {
  readonly mfaToken: string;
  /** The second factors of the user, of which one completes the sign-in. */
  readonly secondFactors: readonly SecondFactor[];
}

/** The input of `startSession` that depends on how the user signs in. */
interface SignIn {
  /** Whether the user has a second factor that is turned on. The user has entered it. */
  readonly hasMfa: boolean;
  /** The sign-in at an identity provider; undefined after a password or a passkey. */
  readonly via?: ProviderSignIn | undefined;
  /** How the user has signed in without a provider. Default: `password`. */
  readonly method?: LocalMethod;
  /** Whether the identity provider has checked a second factor. Default: false. */
  readonly providerMfa?: boolean;
  /** The id of the device if it was recognised. */
  readonly deviceId?: string | undefined;
  /** The guards and statements that are committed together with the new session. */
  readonly guards?: readonly Guard[];
  readonly statements?: readonly Statement[];
}

export const invalidCredentials = () =>
  new ApiError("INVALID_CREDENTIALS", "Wrong e-mail or password");

/**
 * Starts a session: opens a refresh family and commits the session's row together with the
 * sign-in's guards and statements. A 51st session ends the one that was refreshed longest ago.
 * Throws: the error of a guard that fails; 401 if the user has been deleted, or has another
 * password, role or status than `user`; 403 after a password or a passkey if passwords are turned off.
 */
export async function startSession(
  ctx: Visitor,
  user: UserRow,
  signIn: SignIn,
): Promise<NewSession> {
  const { via, hasMfa, providerMfa = false, method = "password" } = signIn;
  const sessionId = newFamilyId();
  const settings = await findSettings(ctx.db);
  if (!via) assertPasswordAllowed(ctx, user, settings.passwordSignIn);
  const endsAt = via?.endsAt;
  const { refreshToken, rotation } = await nextRefreshToken(ctx, sessionId, settings, endsAt);
  await ctx.families.open(sessionId, { userId: user.id, ...rotation });
  const now = ctx.now();
  const { userAgent = null, ip = null } = ctx.request;
  await asUser(ctx, user).commit({
    guards: [
      ...(signIn.guards ?? []),
      { holds: queries.signInStands(user), error: invalidCredentials() },
      ...(via || settings.passwordSignIn === "breakGlass" ? [] : [passwordsStayOn()]),
    ],
    statements: [
      ...(signIn.statements ?? []),
      queries.makeRoomForSession(user.id),
      queries.insertSession({
        id: sessionId,
        userId: user.id,
        createdAt: now,
        refreshedAt: now,
        userAgent,
        ip,
        mfa: hasMfa || providerMfa,
        ...(via ?? { method }),
      }),
      queries.touchUser(user.id, now),
    ],
    audit: aboutUser("session.started", user.id, {
      after: {
        knownDevice: signIn.deviceId !== undefined,
        ...(via && { issuer: via.issuer }),
        ...(method === "passkey" && { method }),
      },
    }),
  });
  if (!via && settings.passwordSignIn === "breakGlass") mailBreakGlass(ctx, user, method);
  const active = { ...user, lastActiveAt: now };
  const session = await issueSession(ctx, { user: active, sessionId, refreshToken, endsAt });
  const isProtected = hasMfa || providerMfa;
  const mfaEnrollmentDeadline = isProtected ? undefined : (mfaDeadline(settings) ?? undefined);
  const deviceToken = await newDeviceToken(ctx, user, signIn.deviceId);
  return { ...session, deviceToken, mfaEnrollmentDeadline };
}

/**
 * Returns a session's idle timeout in milliseconds: a session ends when it is not refreshed for
 * this long (docs/build/decisions.md, 3.11).
 */
export const sessionTimeout = (settings: Pick<SettingsRow, "sessionTimeoutHours">): number =>
  settings.sessionTimeoutHours * HOUR_MS;

/**
 * Creates a refresh token for the family. Returns the token, and the `rotation` with which the
 * family store makes the token current. The token expires when the session ends, at `endsAt`.
 */
export async function nextRefreshToken(
  ctx: Pick<Visitor, "now" | "tokens">,
  familyId: string,
  settings: Pick<SettingsRow, "sessionTimeoutHours">,
  endsAt: number = Infinity,
) {
  const { token: refreshToken, hash: nextHash } = await newRefreshToken(familyId);
  const expiresAt = Math.min(ctx.now() + ctx.tokens.refreshTtlMs, endsAt);
  const rotation: Rotation = { nextHash, expiresAt, timeoutMs: sessionTimeout(settings) };
  return { refreshToken, rotation };
}

interface SessionInput {
  readonly user: UserRow;
  readonly sessionId: string;
  readonly projectId?: number | undefined;
  /** When the session ends, epoch milliseconds. Undefined: only the idle timeout applies. */
  readonly endsAt?: number | undefined;
}

/** Signs an access token for the session. Returns it with the refresh token and the user. */
export async function issueSession(
  ctx: Pick<Visitor, "now" | "tokens">,
  input: SessionInput & { readonly refreshToken: string },
): Promise<NewSession> {
  const { user, refreshToken } = input;
  return { accessToken: await accessTokenOf(ctx, input), refreshToken, user };
}

export function accessTokenOf(
  ctx: Pick<Visitor, "now" | "tokens">,
  { user, sessionId, projectId, endsAt }: SessionInput,
): Promise<string> {
  const claims = { userId: user.id, role: user.role, sessionId, projectId, endsAt };
  return signAccessToken(ctx.tokens, claims, ctx.now());
}
