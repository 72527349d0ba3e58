/**
 * Refresh token rotation with reuse detection (RFC 9700 section 4.14.2): the decision, without
 * storage. Times are epoch milliseconds.
 */
export interface RefreshFamily {
  readonly userId: number;
  /** SHA-256 of the only token that may still be presented, base64url. */
  readonly currentHash: string;
  readonly expiresAt: number;
  readonly revoked: boolean;
  /** The project selected by the session, kept across refreshes. */
  readonly projectId: number | null;
}

export interface Presented {
  readonly hash: string;
  /** Whether this family has issued a token with this hash before the current one. */
  readonly wasIssued: boolean;
}

export interface Rotation {
  readonly nextHash: string;
  readonly expiresAt: number;
}

export type RefreshDecision =
  | { readonly outcome: "rotated"; readonly family: RefreshFamily }
  | { readonly outcome: "reuse"; readonly family: RefreshFamily }
  | { readonly outcome: "expired" }
  | { readonly outcome: "unknown" };

/** A token that was never issued proves nothing, so it revokes nothing. */
export function decideRefresh(
  family: RefreshFamily | undefined,
  presented: Presented,
  rotation: Rotation,
  now: number,
): RefreshDecision {
  if (!family) return { outcome: "unknown" };
  const isCurrent = presented.hash === family.currentHash;
  if (!isCurrent && !presented.wasIssued) return { outcome: "unknown" };
  if (family.expiresAt <= now) return { outcome: "expired" };
  if (!isCurrent || family.revoked)
    return { outcome: "reuse", family: { ...family, revoked: true } };
  return {
    outcome: "rotated",
    family: { ...family, currentHash: rotation.nextHash, expiresAt: rotation.expiresAt },
  };
}
