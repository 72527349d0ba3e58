import { env } from "cloudflare:workers";
import { type JWTPayload, SignJWT } from "jose";
import type { Role } from "@feature-flags/permissions/permissions";
import { hashPassword } from "../../../src/access/password.ts";
import { cheapKey } from "./hashers.ts";
import { newFamilyId, newRefreshToken } from "../../../src/workflows/sign-in/refresh-token.ts";
import { call } from "./client.ts";
import { insertSession, person } from "./people.ts";

const DAY_MS = 86_400_000;
export const SECRET = new TextEncoder().encode(env.SERVICE_JWT_SECRET);

/** Reads the account of the caller. */
export const me = (token: string) => call("GET", "/api/v1/auth/me", { token });

export const refresh = (refreshToken: unknown) =>
  call("POST", "/api/v1/auth/refresh", { body: { refreshToken } });

/** Decodes the claims of an access token without verifying the signature. */
export function claimsOf(token: string): JWTPayload & { roles: string[]; projectId?: number } {
  const part = token.split(".")[1] ?? "";
  return JSON.parse(atob(part.replaceAll("-", "+").replaceAll("_", "/")));
}

/** Signs a JWT with any claims, secret and HMAC algorithm. */
export const forge = (claims: JWTPayload, secret = SECRET, alg = "HS256"): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg, typ: "JWT" }).sign(secret);

/** Starts a session of the user, as a login does, and returns its first refresh token. */
export async function newSession(userId: number) {
  const familyId = newFamilyId();
  await insertSession(userId, familyId);
  return { familyId, refreshToken: await openFamily(userId, familyId) };
}

/** Creates the Durable Object of a session, and returns its first refresh token. */
async function openFamily(userId: number, familyId: string): Promise<string> {
  const { token, hash } = await newRefreshToken(familyId);
  const rotation = { nextHash: hash, expiresAt: Date.now() + DAY_MS, timeoutMs: DAY_MS };
  await env.REFRESH_FAMILIES.getByName(familyId).open(userId, rotation);
  return token;
}

/** Inserts an active user with a session. This is faster than a login, which hashes a password. */
export async function signedIn(role: Role) {
  const { id, sessionId: familyId, token } = await person(role);
  return { id, familyId, refreshToken: await openFamily(id, familyId), token };
}

/** Inserts a user with a password. */
export async function member(role: Role, password: string, status = "ACTIVE") {
  const { id } = await person(role);
  await env.DB.prepare("UPDATE users SET password_hash = ?, status = ? WHERE id = ?")
    .bind(await hashPassword(cheapKey, password), status, id)
    .run();
  const row = await env.DB.prepare("SELECT email FROM users WHERE id = ?")
    .bind(id)
    .first<{ email: string }>();
  return { id, email: row?.email ?? "" };
}

export const refreshFamily = (refreshToken: string) =>
  env.REFRESH_FAMILIES.getByName(refreshToken.split(".")[0] ?? "");
