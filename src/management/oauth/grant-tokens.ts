import type { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { newAccessToken, tokenHash } from "../../core/credentials/access-token.ts";
import { DAY_MS, HOUR_MS } from "../../core/lib/time.ts";
import type { Rotation } from "../../core/sessions/refresh-family.ts";
import { newRefreshToken } from "../../workflows/sign-in/refresh-token.ts";
import type { Visitor } from "../../access/call.ts";
import type { AgentRow } from "../../model/oauth/queries.ts";

/** How long an access token lives, milliseconds. */
const ACCESS_MS = HOUR_MS;

/**
 * How long a grant lives, however often its tokens are refreshed, milliseconds. No token of a user lives
 * longer.
 */
const MAX_GRANT_MS = 365 * DAY_MS;

/** The most agents of a user: as many as tokens. */
export const MAX_AGENTS = 50;

/** The tokens that a client gets, and what the service stores of them. */
interface GrantTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** How long the access token lives, seconds. */
  readonly expiresIn: number;
  readonly rotation: Rotation;
  readonly columns: Pick<AgentRow, "hash" | "preview" | "expiresAt" | "refreshUntil">;
}

/** The grant that gets tokens. */
interface Granted {
  readonly familyId: string;
  /** When the client got the first tokens, epoch milliseconds. */
  readonly at: number;
  /** The refresh token that the client has sent; undefined: it gets its first tokens. */
  readonly presented?: string;
}

/**
 * Returns new tokens of a grant. The tokens of a refresh follow from the refresh token that was sent and
 * a secret of the service. So parallel refreshes with the same token return the same tokens.
 */
export async function newGrantTokens(
  ctx: Pick<Visitor, "tokens" | "now">,
  { familyId, at: grantedAt, presented }: Granted,
): Promise<GrantTokens> {
  const { refreshTtlMs, secrets } = ctx.tokens;
  const [now, end] = [ctx.now(), grantedAt + MAX_GRANT_MS];
  const derived = (what: string): Buffer =>
    createHmac("sha512", secrets[0]).update(`agent ${what} after ${presented}`).digest();
  const accessToken = newAccessToken(
    "ffmcp",
    presented === undefined ? undefined : (round) => derived(`access token ${round}`),
  );
  const { token: refreshToken, hash: nextHash } = await newRefreshToken(
    familyId,
    presented === undefined ? undefined : derived("refresh token"),
  );
  const expiresAt = Math.min(now + ACCESS_MS, end);
  const refreshUntil = Math.min(now + refreshTtlMs, end);
  return {
    accessToken,
    refreshToken,
    expiresIn: Math.floor((expiresAt - now) / 1000),
    rotation: { nextHash, expiresAt: refreshUntil, timeoutMs: refreshTtlMs },
    columns: {
      hash: await tokenHash(accessToken),
      preview: accessToken.slice(-4),
      expiresAt,
      refreshUntil,
    },
  };
}
