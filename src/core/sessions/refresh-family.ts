/**
 * Refresh token rotation with reuse detection (RFC 9700 section 4.14.2): the decision, without
 * storage. Times are epoch milliseconds.
 */
export interface RefreshFamily {
  readonly userId: number;
  /** SHA-256 of the only token that may still be presented, base64url. */
  readonly currentHash: string;
  readonly refreshedAt: number;
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
  /** A session that was not refreshed for longer is over (decisions 3.11), milliseconds. */
  readonly timeoutMs: number;
}

export type RefreshDecision =
  | { readonly outcome: "rotated"; readonly family: RefreshFamily }
  | { readonly outcome: "reuse"; readonly family: RefreshFamily }
  | { readonly outcome: "expired" }
  | { readonly outcome: "unknown" };

/** Whether the family's current token would still be taken. */
export function isAlive(family: RefreshFamily, timeoutMs: number, now: number): boolean {
  return !family.revoked && family.expiresAt > now && family.refreshedAt + timeoutMs > now;
}

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
  if (!isCurrent || family.revoked)
    return { outcome: "reuse", family: { ...family, revoked: true } };
  if (!isAlive(family, rotation.timeoutMs, now)) return { outcome: "expired" };
  return { outcome: "rotated", family: rotate(family, rotation, now) };
}

/** The family with a new current token. */
export const rotate = (family: RefreshFamily, next: Rotation, now: number): RefreshFamily => ({
  ...family,
  currentHash: next.nextHash,
  refreshedAt: now,
  expiresAt: next.expiresAt,
});
