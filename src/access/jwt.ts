import { decodeJwt, errors, jwtVerify, type JWTPayload, SignJWT } from "jose";
import { z } from "@hono/zod-openapi";
import { randomToken } from "../core/lib/digest.ts";
import { DAY_MS } from "../core/lib/time.ts";
import type { Role } from "@feature-flags/permissions/permissions";
import { PROVIDER_TYPES } from "../core/sign-on/provider.ts";

export interface TokenSettings {
  /**
   * The secrets that sign access tokens, MFA tokens, device tokens and challenges, at least 32 bytes each. The first signs new
   * tokens. The others only verify tokens that were signed before the secret was rotated.
   */
  readonly secrets: readonly [Uint8Array, ...Uint8Array[]];
  /**
   * The claim `iss` of every token. A token with another issuer is rejected, so that two
   * environments with the same secret do not accept each other's tokens.
   */
  readonly issuer: string;
  readonly accessTtlSeconds: number;
  readonly refreshTtlMs: number;
}

/**
 * The claim `aud` of each kind of token. A token is rejected where another kind is required (RFC
 * 8725 section 3.9).
 */
const AUDIENCE = {
  access: "management-api",
  mfa: "second-factor",
  device: "login",
  challenge: "passkey",
} as const;
type Kind = keyof typeof AUDIENCE;

export interface AccessClaims {
  readonly userId: number;
  readonly sessionId: string;
  readonly projectId: number | undefined;
}

const userSubject = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number);

/** The schema of `ProviderSignIn`. */
const viaProvider = z.object({
  method: z.enum(PROVIDER_TYPES),
  issuer: z.string(),
  idpSession: z.string().nullable(),
  endsAt: z.number(),
});

/** How a session began at an identity provider. */
export type ProviderSignIn = z.infer<typeof viaProvider>;

const accessClaims = z
  .object({ sub: userSubject, sid: z.string(), projectId: z.int().optional() })
  .transform(({ sub, sid, projectId }) => ({ userId: sub, sessionId: sid, projectId }));

const mfaClaims = z
  .object({ sub: userSubject, pwd: z.string(), via: viaProvider.optional() })
  .transform(({ sub, pwd, via }) => ({ userId: sub, passwordDigest: pwd, via }));

const deviceClaims = z
  .object({ sub: userSubject, pwd: z.string(), device: z.string().max(50) })
  .transform(({ sub, pwd, device }) => ({ userId: sub, passwordDigest: pwd, deviceId: device }));

/** Returns a signed access token (a JWT, RFC 7519). `now` is in epoch milliseconds. */
export function signAccessToken(
  settings: TokenSettings,
  claim: AccessClaims & {
    readonly role: Role;
    /** When the session ends, epoch milliseconds. The token expires at this time at the latest. */
    readonly endsAt?: number | undefined;
  },
  now: number,
): Promise<string> {
  const { userId, role, sessionId, projectId, endsAt = Infinity } = claim;
  const claims = { roles: [role], sid: sessionId, ...(projectId !== undefined && { projectId }) };
  const seconds = Math.min(settings.accessTtlSeconds, Math.floor((endsAt - now) / 1000));
  return sign(settings, "access", { subject: userId, claims, now, seconds });
}

/**
 * Returns the claims of an access token; undefined if its HS256 signature or a claim is invalid, or
 * if the token has expired. `now` is in epoch milliseconds.
 */
export const verifyAccessToken = (
  settings: TokenSettings,
  token: string,
  now: number,
): Promise<AccessClaims | undefined> => verify(settings, "access", { token, now }, accessClaims);

/** Returns when a valid access token expires, epoch milliseconds. */
export const expiryOf = (token: string): number => (decodeJwt(token).exp ?? 0) * 1000;

/**
 * The lifetime of an MFA token in seconds: the user must enter the second factor within five
 * minutes after the password.
 */
const MFA_TOKEN_SECONDS = 300;

interface MfaClaims {
  readonly userId: number;
  /**
   * A digest of the user's password hash. An MFA token for an old password has another digest, so
   * it is rejected.
   */
  readonly passwordDigest: string;
  /** The sign-in at an identity provider; undefined after a password. */
  readonly via?: ProviderSignIn | undefined;
}

/**
 * Returns a signed MFA token. An MFA token proves only that the user entered the right password, or
 * signed in at an identity provider. `now` is in epoch milliseconds.
 */
export function signMfaToken(
  settings: TokenSettings,
  { userId, passwordDigest, via }: MfaClaims,
  now: number,
): Promise<string> {
  const claims = { pwd: passwordDigest, ...(via && { via }) };
  return sign(settings, "mfa", { subject: userId, claims, now, seconds: MFA_TOKEN_SECONDS });
}

/** Returns the claims of an MFA token; undefined if the token is invalid or has expired. */
export const verifyMfaToken = (
  settings: TokenSettings,
  token: string,
  now: number,
): Promise<MfaClaims | undefined> => verify(settings, "mfa", { token, now }, mfaClaims);

/** How long a device is recognised after its last sign-in, in seconds: 180 days. */
const DEVICE_TOKEN_SECONDS = (180 * DAY_MS) / 1000;

export interface DeviceClaims {
  readonly userId: number;
  /**
   * A digest of the user's password hash. After a change of the password, no device is recognised
   * any more, not even a thief's.
   */
  readonly passwordDigest: string;
  readonly deviceId: string;
}

/**
 * Returns a signed device token. A device token proves only that the user has signed in on this
 * device. `now` is in epoch milliseconds.
 */
export function signDeviceToken(
  settings: TokenSettings,
  { userId, passwordDigest, deviceId }: DeviceClaims,
  now: number,
): Promise<string> {
  const claims = { pwd: passwordDigest, device: deviceId };
  return sign(settings, "device", { subject: userId, claims, now, seconds: DEVICE_TOKEN_SECONDS });
}

/** Returns the claims of a device token; undefined if the token is invalid or has expired. */
export const verifyDeviceToken = (
  settings: TokenSettings,
  token: string,
  now: number,
): Promise<DeviceClaims | undefined> => verify(settings, "device", { token, now }, deviceClaims);

/** How long a challenge for a passkey is valid, seconds. */
export const CHALLENGE_SECONDS = 300;

const challengeClaims = z.object({ sub: z.string() });

/**
 * Returns a challenge that a passkey signs: a token with a random id. It counts only for `purpose`,
 * such as the registration in one session, so the service stores nothing until it is used. `now` is in
 * epoch milliseconds.
 */
export function signChallenge(
  settings: TokenSettings,
  purpose: string,
  now: number,
): Promise<string> {
  const claims = { jti: randomToken(16) };
  return sign(settings, "challenge", { subject: purpose, claims, now, seconds: CHALLENGE_SECONDS });
}

/** Whether a challenge is valid, has not expired, and was made for this purpose. */
export async function isChallengeFor(
  settings: TokenSettings,
  purpose: string,
  { challenge, now }: { readonly challenge: string; readonly now: number },
): Promise<boolean> {
  const claims = await verify(settings, "challenge", { token: challenge, now }, challengeClaims);
  return claims?.sub === purpose;
}

function sign(
  settings: TokenSettings,
  kind: Kind,
  input: {
    readonly subject: number | string;
    readonly claims: JWTPayload;
    readonly now: number;
    readonly seconds: number;
  },
): Promise<string> {
  const issuedAt = Math.floor(input.now / 1000);
  return new SignJWT(input.claims)
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuer(settings.issuer)
    .setAudience(AUDIENCE[kind])
    .setSubject(String(input.subject))
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + input.seconds)
    .sign(settings.secrets[0]);
}

async function verify<Claims>(
  { secrets, issuer }: TokenSettings,
  kind: Kind,
  { token, now }: { readonly token: string; readonly now: number },
  claims: z.ZodType<Claims>,
): Promise<Claims | undefined> {
  const options = {
    algorithms: ["HS256"],
    issuer,
    audience: AUDIENCE[kind],
    requiredClaims: ["sub", "iat", "exp"],
    currentDate: new Date(now),
  };
  for (const secret of secrets)
    try {
      const { payload } = await jwtVerify(token, secret, options);
      return claims.parse(payload);
    } catch (error) {
      if (!(error instanceof errors.JOSEError || error instanceof z.ZodError)) throw error;
    }
  return undefined;
}
