import { errors, jwtVerify, SignJWT } from "jose";
import { z } from "@hono/zod-openapi";
import type { Role } from "@feature-flags/permissions/permissions";

export interface TokenSettings {
  /** The first signs, each verifies: the others are being replaced. At least 32 bytes each. */
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

/** An access token with the contract's claims; `now` in epoch milliseconds. */
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

/** The claims of a token that is signed with HS256 and not expired; undefined for any other. */
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

/** The second step of a sign-in must follow within five minutes. */
const MFA_TOKEN_SECONDS = 300;

/** A key of its own, so that neither kind of token can ever pass for the other. */
const mfaKey = (secret: Uint8Array): Uint8Array =>
  new Uint8Array([...new TextEncoder().encode("mfa:"), ...secret]);

/** Proves that the password was right, and nothing else. */
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

/** The user of a token of the first step; undefined for any other token. */
export async function verifyMfaToken(
  settings: TokenSettings,
  token: string,
  now: number,
): Promise<number | undefined> {
  return (await verify(settings.secrets.map(mfaKey), token, now))?.userId;
}
