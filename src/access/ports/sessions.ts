import type {
  RefreshDecision,
  RefreshFamily,
  Rotation,
} from "../../core/sessions/refresh-family.ts";

/**
 * The store of refresh families. A refresh family is the chain of refresh tokens of one session.
 * Each family is one Durable Object, which handles concurrent calls one after the other.
 */
export interface FamilyStore {
  open(familyId: string, family: { userId: number } & Rotation): Promise<void>;
  /**
   * Replaces the family's current refresh token with the next one, if the presented token is the current one
   * and the session has not ended. Revokes the family if the presented token was replaced before.
   */
  refresh(familyId: string, presentedHash: string, next: Rotation): Promise<RefreshDecision>;
  /**
   * Returns the family; undefined if its session has ended. `timeoutMs` is the session's idle
   * timeout in milliseconds.
   */
  describe(familyId: string, timeoutMs: number): Promise<RefreshFamily | undefined>;
}
