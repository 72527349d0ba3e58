import { errors, jwtVerify, SignJWT } from "jose";
import { z } from "@hono/zod-openapi";
import type { Role } from "@feature-flags/permissions/permissions";

export interface TokenSettings {
  /**
   * The secrets that sign access tokens and MFA tokens, at least 32 bytes each. The first signs new
   * tokens. The others only verify tokens that were signed before the secret was rotated.
   */
  readonly secrets: readonly [Uint8Array, ...Uint8Array[]];
  readonly accessTtlSeconds: number;
  readonly refreshTtlMs: number;
}

export interface AccessClaims {
  readonly userId: number;
  readonly sessionId: string | undefined;
  readonly projectId: number | undefined;
}

const claims = z.object({
  sub: z.string().regex(/^[1-9]\d{0,15}$/),
  sid: z.string().optional(),
  projectId: z.int().optional(),
});

/** Returns a signed access token (a JWT, RFC 7519). `now` is in epoch milliseconds. */
export function signAccessToken(
  settings: TokenSettings,
  claim: AccessClaims & { readonly role: Role },
  now: number,
): Promise<string> {
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT({
    roles: [claim.role],
    ...(claim.sessionId !== undefined && { sid: claim.sessionId }),
    ...(claim.projectId !== undefined && { projectId: claim.projectId }),
  })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setSubject(String(claim.userId))
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + settings.accessTtlSeconds)
    .sign(settings.secrets[0]);
}

/**
 * Returns the claims of an access token; undefined if its HS256 signature or a claim is invalid, or
 * if the token has expired. `now` is in epoch milliseconds.
 */
export const verifyAccessToken = (
  settings: TokenSettings,
  token: string,
  now: number,
): Promise<AccessClaims | undefined> => verify(settings.secrets, token, now);

async function verify(
  keys: readonly Uint8Array[],
  token: string,
  now: number,
): Promise<AccessClaims | undefined> {
  for (const key of keys) {
    const found = await verifyWith(key, token, now);
    if (found) return found;
  }
  return undefined;
}

async function verifyWith(
  secret: Uint8Array,
  token: string,
  now: number,
): Promise<AccessClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: ["HS256"],
      requiredClaims: ["sub", "iat", "exp"],
      currentDate: new Date(now),
    });
    const { sub, sid, projectId } = claims.parse(payload);
    return { userId: Number(sub), sessionId: sid, projectId };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

/**
 * The lifetime of an MFA token in seconds: the user must enter the second factor within five
 * minutes after the password.
 */
const MFA_TOKEN_SECONDS = 300;

/**
 * Returns the key that signs MFA tokens. It differs from the secret that signs access tokens, so
 * that neither kind of token is accepted as the other.
 */
const mfaKey = (secret: Uint8Array): Uint8Array =>
  new Uint8Array([...new TextEncoder().encode("mfa:"), ...secret]);

/**
 * Returns a signed MFA token. An MFA token proves only that the user entered the right password.
 * `now` is in epoch milliseconds.
 */
export function signMfaToken(
  settings: TokenSettings,
  userId: number,
  now: number,
): Promise<string> {
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(String(userId))
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + MFA_TOKEN_SECONDS)
    .sign(mfaKey(settings.secrets[0]));
}

/** Returns the user id in an MFA token; undefined if the token is invalid or has expired. */
export async function verifyMfaToken(
  settings: TokenSettings,
  token: string,
  now: number,
): Promise<number | undefined> {
  return (await verify(settings.secrets.map(mfaKey), token, now))?.userId;
}
