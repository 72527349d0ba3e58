import { env } from "cloudflare:workers";
import type { TokenPurpose } from "../../../src/db/schema/people.ts";
import { newMailToken } from "../../../src/workflows/sign-in/mail-token.ts";
import { person } from "./people.ts";

/**
 * Inserts a user and the token of an invitation or password reset link. Returns the id of the user,
 * and the token as the e-mail would contain it.
 */
export async function newLink(
  purpose: TokenPurpose,
  now: number = Date.now(),
): Promise<{ id: number; token: string }> {
  const { id } = await person("VIEWER");
  const { token, row } = await newMailToken(purpose, now);
  const status = purpose === "INVITE" ? "INVITED" : "ACTIVE";
  await env.DB.batch([
    env.DB.prepare("UPDATE users SET status = ? WHERE id = ?").bind(status, id),
    env.DB.prepare(
      "INSERT INTO user_tokens (hash, user_id, purpose, created_at, expires_at) VALUES (?, ?, ?, ?, ?)",
    ).bind(row.hash, id, row.purpose, row.createdAt, row.expiresAt),
  ]);
  return { id, token };
}
