import { env } from "cloudflare:workers";
import { signAccessToken, type TokenSettings } from "../../../src/access/jwt.ts";
import { newFamilyId } from "../../../src/workflows/sign-in/refresh-token.ts";
import type { Role } from "@feature-flags/permissions/permissions";
import { call } from "./client.ts";

export const ADMIN = { email: "admin@example.com", password: "correct-horse-battery" };

/** Logs the administrator in through the API. The first login creates the account. */
export async function signIn() {
  const answer = await call("POST", "/api/v1/auth/login", { body: ADMIN });
  return answer.body as {
    token: string;
    refreshToken: string;
    deviceToken: string;
    user: { id: number };
  };
}

let administrator: Promise<string> | undefined;

/** The administrator's access token, in a session that the running test file does not share. */
export function adminToken(): Promise<string> {
  administrator ??= newAdminToken();
  return administrator;
}

/**
 * Forgets the session of the previous test file, because that file may have changed or deleted it.
 */
export function forgetAdminToken(): void {
  administrator = undefined;
}

/** Only the first session needs a login, which is slow. */
async function newAdminToken(): Promise<string> {
  const row = await env.DB.prepare("SELECT id FROM users WHERE email = ? AND status = 'ACTIVE'")
    .bind(ADMIN.email)
    .first<{ id: number }>();
  if (!row) return (await signIn()).token;
  const sessionId = newFamilyId();
  await insertSession(row.id, sessionId);
  return tokenOf({ id: row.id, sessionId }, "ADMIN");
}

/** The settings for access and refresh tokens in the tests. */
export const TOKENS: TokenSettings = {
  secrets: [new TextEncoder().encode(env.SERVICE_JWT_SECRET)],
  issuer: env.PUBLIC_URL,
  accessTtlSeconds: 900,
  refreshTtlMs: 86_400_000,
};

/** An access token of an administrator in an environment with another `PUBLIC_URL`. */
export async function adminTokenAt(publicUrl: string): Promise<string> {
  const { id: userId, sessionId } = await person("ADMIN");
  const claims = { userId, role: "ADMIN", sessionId, projectId: undefined } as const;
  const issuer = publicUrl === "" ? "feature-flags" : publicUrl;
  return signAccessToken({ ...TOKENS, issuer }, claims, Date.now());
}

/**
 * Inserts an active user with the role and a session that has no refresh token. Returns the ids and
 * an access token.
 */
export async function person(
  role: Role,
): Promise<{ id: number; sessionId: string; token: string }> {
  const email = `${role.toLowerCase()}-${crypto.randomUUID()}@example.com`;
  const row = await env.DB.prepare(
    `INSERT INTO users (email, name, role, status, created_at) VALUES (?, ?, ?, 'ACTIVE', ?) RETURNING id`,
  )
    .bind(email, role, role, Date.now())
    .first<{ id: number }>();
  if (!row) throw new Error("the user was not inserted");
  const { id } = row;
  const sessionId = newFamilyId();
  await insertSession(id, sessionId);
  return { id, sessionId, token: await tokenOf({ id, sessionId }, role) };
}

/** Makes a user a member of projects, or gives a member another role there. */
export async function join(userId: number, role: Role, projectIds: readonly number[]) {
  for (const projectId of projectIds)
    await env.DB.prepare(
      "INSERT OR REPLACE INTO project_members (project_id, user_id, role) VALUES (?, ?, ?)",
    )
      .bind(projectId, userId, role)
      .run();
}

/** Inserts the row of a session, without the Durable Object of its refresh tokens. */
export const insertSession = (userId: number, sessionId: string) =>
  env.DB.prepare("INSERT INTO sessions (id, user_id, created_at, refreshed_at) VALUES (?, ?, ?, ?)")
    .bind(sessionId, userId, Date.now(), Date.now())
    .run();

export function tokenOf(
  { id, sessionId }: { readonly id: number; readonly sessionId: string },
  role: Role,
  now: number = Date.now(),
): Promise<string> {
  const claims = { userId: id, role, sessionId, projectId: undefined };
  return signAccessToken(TOKENS, claims, now);
}
