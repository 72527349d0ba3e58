import { errors, jwtVerify, SignJWT } from "jose";
import { z } from "@hono/zod-openapi";
import type { Role } from "@feature-flags/permissions/permissions";

export interface TokenSettings {
  /**
   * The signing secrets, of at least 32 bytes each. New tokens are signed with the first. The
   * others only verify tokens that were signed before the secret was rotated.
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

/** Signs an access token (RFC 7519). `now` is in epoch milliseconds. */
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
 * Returns the claims if the token is signed with HS256 and has not expired, and undefined
 * otherwise.
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

/** Lifetime of the MFA token: the user must enter the second factor within five minutes. */
const MFA_TOKEN_SECONDS = 300;

/**
 * MFA tokens are signed with a key of their own, so that an MFA token is never accepted as an
 * access token, or an access token as an MFA token.
 */
const mfaKey = (secret: Uint8Array): Uint8Array =>
  new Uint8Array([...new TextEncoder().encode("mfa:"), ...secret]);

/** Signs an MFA token. It proves only that the user entered the right password. */
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

/** Returns the user id if the MFA token is valid and has not expired, otherwise undefined. */
export async function verifyMfaToken(
  settings: TokenSettings,
  token: string,
  now: number,
): Promise<number | undefined> {
  return (await verify(settings.secrets.map(mfaKey), token, now))?.userId;
}
