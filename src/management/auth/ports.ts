import type {
  RefreshDecision,
  RefreshFamily,
  Rotation,
} from "../../core/sessions/refresh-family.ts";

/** Storage of refresh families. Each family is one object, which handles one call at a time. */
export interface FamilyStore {
  open(familyId: string, family: { userId: number } & Rotation): Promise<void>;
  /**
   * Replaces the current token if it is the presented one. A token that was used before revokes the
   * family.
   */
  refresh(familyId: string, presentedHash: string, next: Rotation): Promise<RefreshDecision>;
  /** Sets the project and rotates the token. Returns false if the session has ended. */
  selectProject(familyId: string, projectId: number, next: Rotation): Promise<boolean>;
  /** Returns the family, or undefined if it has ended. `timeoutMs`: the session's idle timeout. */
  describe(familyId: string, timeoutMs: number): Promise<RefreshFamily | undefined>;
  revoke(familyId: string): Promise<void>;
}
