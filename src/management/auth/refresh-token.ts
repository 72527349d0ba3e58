import { randomToken, sha256 } from "../../core/lib/digest.ts";

export interface RefreshToken {
  readonly token: string;
  readonly hash: string;
}

/** `family.secret`: opaque to the caller; the first part finds the family's object. */
export async function newRefreshToken(familyId: string): Promise<RefreshToken> {
  const token = `${familyId}.${randomToken(32)}`;
  return { token, hash: await sha256(token) };
}

export const newFamilyId = (): string => randomToken(16);

/** The family that a refresh token names, or undefined when it cannot be one of ours. */
export function familyIdOf(token: string): string | undefined {
  return /^([A-Za-z0-9_-]{22})\.[A-Za-z0-9_-]{43}$/.exec(token)?.[1];
}
