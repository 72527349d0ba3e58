import { base64url, randomToken, sha256 } from "../../core/lib/digest.ts";

export interface RefreshToken {
  readonly token: string;
  readonly hash: string;
}

/**
 * Creates a refresh token, which consists of the family id, a dot and a secret. Returns the token
 * and its SHA-256 hash. The family id in the token tells the service which Durable Object to call.
 * `secret`: at least 32 bytes that nobody can guess; by default random ones.
 */
export async function newRefreshToken(
  familyId: string,
  secret?: Uint8Array,
): Promise<RefreshToken> {
  const text = secret === undefined ? randomToken(32) : base64url(secret.subarray(0, 32));
  const token = `${familyId}.${text}`;
  return { token, hash: await sha256(token) };
}

export const newFamilyId = (): string => randomToken(16);

/** Returns the family id in a refresh token; undefined if the token has the wrong format. */
export function familyIdOf(token: string): string | undefined {
  return /^([A-Za-z0-9_-]{22})\.[A-Za-z0-9_-]{43}$/.exec(token)?.[1];
}
