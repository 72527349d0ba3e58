import type {
  RefreshDecision,
  RefreshFamily,
  Rotation,
} from "../../core/sessions/refresh-family.ts";

/** Where refresh families live: one serialised object per family. */
export interface FamilyStore {
  open(familyId: string, family: { userId: number } & Rotation): Promise<void>;
  refresh(familyId: string, presentedHash: string, next: Rotation): Promise<RefreshDecision>;
  /** Sets the project and rotates, on the word of an access token; false when the session is over. */
  selectProject(familyId: string, projectId: number, next: Rotation): Promise<boolean>;
  /** The family, or undefined when it is over. */
  describe(familyId: string, timeoutMs: number): Promise<RefreshFamily | undefined>;
  revoke(familyId: string): Promise<void>;
}
