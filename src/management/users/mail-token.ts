import { DAY_MS, HOUR_MS } from "../../core/lib/time.ts";
import { randomToken, sha256 } from "../../core/lib/digest.ts";
import type { TokenPurpose } from "../../db/schema/people.ts";

/** Decisions 3.7. */
const LIFETIME_MS: Record<TokenPurpose, number> = {
  INVITE: 7 * DAY_MS,
  RESET: HOUR_MS,
};

/** A single-use token for a mail, and what is stored of it. */
export async function newMailToken(purpose: TokenPurpose, now: number) {
  const token = randomToken(32);
  const hash = await sha256(token);
  return { token, row: { hash, purpose, createdAt: now, expiresAt: now + LIFETIME_MS[purpose] } };
}
