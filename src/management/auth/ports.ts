import type { RefreshDecision, Rotation } from "../../core/refresh-family.ts";

/** Where refresh families live: one serialised object per family. */
export interface FamilyStore {
  open(familyId: string, family: { userId: number } & Rotation): Promise<void>;
  refresh(familyId: string, presentedHash: string, next: Rotation): Promise<RefreshDecision>;
  /** Sets the project and rotates, on the word of an access token; false when the session is over. */
  selectProject(familyId: string, projectId: number, next: Rotation): Promise<boolean>;
  revoke(familyId: string): Promise<void>;
}
