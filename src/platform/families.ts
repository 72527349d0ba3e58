import type { FamilyStore } from "../management/auth/ports.ts";

/** Refresh families as Durable Objects, found by the name in the token. */
export function familyStore(env: Env): FamilyStore {
  const object = (familyId: string) => env.REFRESH_FAMILIES.getByName(familyId);
  return {
    open: (familyId, { userId, ...rotation }) => object(familyId).open(userId, rotation),
    refresh: (familyId, hash, next) => object(familyId).refresh(hash, next),
    selectProject: (familyId, projectId, next) => object(familyId).selectProject(projectId, next),
    describe: (familyId, timeoutMs) => object(familyId).describe(timeoutMs),
    revoke: (familyId) => object(familyId).revoke(),
  };
}
