import type {
  RefreshDecision,
  RefreshFamily,
  Rotation,
} from "../../core/sessions/refresh-family.ts";

/**
 * Stores refresh families. A refresh family is the chain of refresh tokens of one session. Each
 * family is one Durable Object, which handles one call at a time.
 */
export interface FamilyStore {
  open(familyId: string, family: { userId: number } & Rotation): Promise<void>;
  /**
   * Replaces the family's current refresh token with the next one if the presented token is the
   * current one. Presenting a token that was used before revokes the family.
   */
  refresh(familyId: string, presentedHash: string, next: Rotation): Promise<RefreshDecision>;
  /**
   * Sets the session's project and replaces the refresh token. Returns false if the session has
   * ended.
   */
  selectProject(familyId: string, projectId: number, next: Rotation): Promise<boolean>;
  /**
   * Returns the family, or undefined if it has ended. `timeoutMs` is the session's idle timeout.
   */
  describe(familyId: string, timeoutMs: number): Promise<RefreshFamily | undefined>;
  revoke(familyId: string): Promise<void>;
}
