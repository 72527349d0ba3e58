import { DAY_MS, HOUR_MS } from "../../core/lib/time.ts";
import { randomToken, sha256 } from "../../core/lib/digest.ts";
import type { TokenPurpose } from "../../db/schema/people.ts";

/** How long a link in an e-mail is valid, in milliseconds (docs/use/api.md, Users and roles). */
const LIFETIME_MS: Record<TokenPurpose, number> = {
  INVITE: 7 * DAY_MS,
  RESET: HOUR_MS,
};

/**
 * Creates a single-use token for a link in an e-mail. Returns the token and the row to store, which
 * contains only the token's hash.
 */
export async function newMailToken(purpose: TokenPurpose, now: number) {
  const token = randomToken(32);
  const hash = await sha256(token);
  return { token, row: { hash, purpose, createdAt: now, expiresAt: now + LIFETIME_MS[purpose] } };
}
