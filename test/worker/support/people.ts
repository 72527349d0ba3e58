import { env } from "cloudflare:workers";
import { signAccessToken, type TokenSettings } from "../../../src/management/auth/jwt.ts";
import type { Role } from "@feature-flags/permissions/permissions";
import { call } from "./client.ts";

export const ADMIN = { email: "admin@example.com", password: "correct-horse-battery" };

/** Logs the administrator in through the API. The first login creates the account. */
export async function signIn() {
  const answer = await call("POST", "/api/v1/auth/login", { body: ADMIN });
  return answer.body as { token: string; refreshToken: string; user: { id: number } };
}

let administrator: Promise<string> | undefined;

/** The administrator's access token. Each test file logs in once, because a login is slow. */
export function adminToken(): Promise<string> {
  administrator ??= signIn().then((session) => session.token);
  return administrator;
}

/** The settings of access and refresh tokens that the service has in the tests. */
export const TOKENS: TokenSettings = {
  secrets: [new TextEncoder().encode(env.SERVICE_JWT_SECRET)],
  accessTtlSeconds: 900,
  refreshTtlMs: 86_400_000,
};

/** Inserts an active user with the role. Returns the id and an access token without a session. */
export async function person(role: Role): Promise<{ id: number; token: string }> {
  const email = `${role.toLowerCase()}-${crypto.randomUUID()}@example.com`;
  const row = await env.DB.prepare(
    `INSERT INTO users (email, name, role, status, created_at) VALUES (?, ?, ?, 'ACTIVE', ?) RETURNING id`,
  )
    .bind(email, role, role, Date.now())
    .first<{ id: number }>();
  if (!row) throw new Error("the user was not inserted");
  return { id: row.id, token: await tokenOf(row.id, role) };
}

export function tokenOf(userId: number, role: Role, now: number = Date.now()): Promise<string> {
  const claims = { userId, role, sessionId: undefined, projectId: undefined };
  return signAccessToken(TOKENS, claims, now);
}
