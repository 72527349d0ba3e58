import type { FamilyStore } from "../management/auth/ports.ts";
import type { RefreshFamilyObject } from "./refresh-family-object.ts";

/** Refresh families as Durable Objects, found by the name in the token. */
export function familyStore(env: Env): FamilyStore {
  // The generated type does not know the class: it lives in this very Worker.
  const objects = env.REFRESH_FAMILIES as unknown as DurableObjectNamespace<RefreshFamilyObject>;
  const object = (familyId: string) => objects.getByName(familyId);
  return {
    open: (familyId, { userId, ...rotation }) => object(familyId).open(userId, rotation),
    refresh: (familyId, hash, next) => object(familyId).refresh(hash, next),
    selectProject: (familyId, projectId, next) => object(familyId).selectProject(projectId, next),
    revoke: (familyId) => object(familyId).revoke(),
  };
}
