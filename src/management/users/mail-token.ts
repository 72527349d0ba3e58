import { DAY_MS, HOUR_MS } from "../../core/lib/time.ts";
import { randomToken, sha256 } from "../../core/lib/digest.ts";
import type { TokenPurpose } from "../../db/schema/people.ts";

/** Lifetimes of the links in e-mails (docs/decisions.md, 3.7). */
const LIFETIME_MS: Record<TokenPurpose, number> = {
  INVITE: 7 * DAY_MS,
  RESET: HOUR_MS,
};

/**
 * Creates a single-use token for a link in an e-mail, and the row to store, which holds only its
 * hash.
 */
export async function newMailToken(purpose: TokenPurpose, now: number) {
  const token = randomToken(32);
  const hash = await sha256(token);
  return { token, row: { hash, purpose, createdAt: now, expiresAt: now + LIFETIME_MS[purpose] } };
}
