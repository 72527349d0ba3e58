import type { FamilyStore } from "../management/auth/ports.ts";
import { available } from "./in-time.ts";
import type { RefreshFamilyObject } from "./refresh-family-object.ts";

/** An object that has to move house first is there within a second or two. */
const FAMILY_BOUND_MS = 5_000;

/** Refresh families as Durable Objects, found by the name in the token. Errors: `UnavailableError`. */
export function familyStore(env: Env): FamilyStore {
  const ask = <T>(
    familyId: string,
    question: (object: DurableObjectStub<RefreshFamilyObject>) => Promise<T>,
  ): Promise<T> =>
    available("A refresh family", FAMILY_BOUND_MS, () =>
      question(env.REFRESH_FAMILIES.getByName(familyId)),
    );
  return {
    open: (id, { userId, ...rotation }) => ask(id, async (family) => family.open(userId, rotation)),
    refresh: (id, hash, next) => ask(id, async (family) => family.refresh(hash, next)),
    selectProject: (id, projectId, next) =>
      ask(id, async (family) => family.selectProject(projectId, next)),
    describe: (id, timeoutMs) => ask(id, async (family) => family.describe(timeoutMs)),
    revoke: (id) => ask(id, async (family) => family.revoke()),
  };
}
