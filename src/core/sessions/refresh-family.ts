/**
 * A refresh family: all refresh tokens of one session. The functions of this module implement
 * rotation with reuse detection (RFC 9700 section 4.14.2). Times are epoch milliseconds.
 */
export interface RefreshFamily {
  readonly userId: number;
  /** The SHA-256 hash of the one valid refresh token, base64url. */
  readonly currentHash: string;
  readonly refreshedAt: number;
  readonly expiresAt: number;
  readonly revoked: boolean;
}

/** A refresh token that a caller sent. */
export interface Presented {
  readonly hash: string;
  /** Whether this family has ever issued a token with this hash. */
  readonly wasIssued: boolean;
}

/**
 * The inputs of a token rotation: the hash and the expiry time of the new refresh token, and the
 * timeout of a session without refreshes.
 */
export interface Rotation {
  readonly nextHash: string;
  readonly expiresAt: number;
  /** How long a session lasts without a refresh, milliseconds (docs/build/decisions.md, 3.11). */
  readonly timeoutMs: number;
}

/** What happens to a refresh token that a caller sent, and the state of the family to store. */
export type RefreshDecision =
  | { readonly outcome: "rotated"; readonly family: RefreshFamily }
  | { readonly outcome: "reuse"; readonly family: RefreshFamily }
  | { readonly outcome: "expired" }
  | { readonly outcome: "unknown" };

/** Whether the current token of the family is still valid. */
export function isAlive(family: RefreshFamily, timeoutMs: number, now: number): boolean {
  return !family.revoked && family.expiresAt > now && family.refreshedAt + timeoutMs > now;
}

/** How long after a rotation the same rotation may be repeated, milliseconds. */
export const REPEAT_MS = 30_000;

/**
 * Decides what happens when a caller sends a refresh token. A token that was replaced before may be
 * stolen, so it revokes the family (`reuse`). Every issued token of a revoked family is a `reuse`,
 * too. A token that the family never issued changes nothing (`unknown`).
 *
 * The token before the current one is no reuse for `REPEAT_MS` if its next token would be the current one
 * again. This holds only if the next token follows from the presented one, as for agents. The next tokens
 * of sessions are random.
 */
export function decideRefresh(
  family: RefreshFamily | undefined,
  presented: Presented,
  rotation: Rotation,
  now: number,
): RefreshDecision {
  if (!family) return { outcome: "unknown" };
  const isCurrent = presented.hash === family.currentHash;
  if (!isCurrent && !presented.wasIssued) return { outcome: "unknown" };
  const isRepeated =
    rotation.nextHash === family.currentHash && family.refreshedAt + REPEAT_MS > now;
  if ((!isCurrent && !isRepeated) || family.revoked)
    return { outcome: "reuse", family: { ...family, revoked: true } };
  if (!isAlive(family, rotation.timeoutMs, now)) return { outcome: "expired" };
  return { outcome: "rotated", family: isCurrent ? rotate(family, rotation, now) : family };
}

/** Returns the family after a rotation, with a new current token. */
const rotate = (family: RefreshFamily, next: Rotation, now: number): RefreshFamily => ({
  ...family,
  currentHash: next.nextHash,
  refreshedAt: now,
  expiresAt: next.expiresAt,
});
