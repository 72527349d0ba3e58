import { UnavailableError } from "../../core/errors/unavailable-error.ts";
import type { FamilyStore } from "../../access/ports/sessions.ts";
import type { RefreshFamilyObject } from "./refresh-family-object.ts";
import { withTimeout } from "../runtime/timeout.ts";

/** The timeout of a call to the Durable Object of a refresh family, milliseconds. */
const CALL_TIMEOUT_MS = 5_000;

/**
 * Returns the store of refresh families. Each family is a Durable Object with the family id as its
 * name. The methods throw `UnavailableError`.
 */
export function refreshFamilies(env: Env): FamilyStore {
  const call = async <T>(
    familyId: string,
    method: (object: DurableObjectStub<RefreshFamilyObject>) => Promise<T>,
  ): Promise<T> => {
    try {
      const object = env.REFRESH_FAMILIES.getByName(familyId);
      return await withTimeout(CALL_TIMEOUT_MS, () => method(object));
    } catch (error) {
      throw new UnavailableError("A refresh family does not respond", { cause: error });
    }
  };
  return {
    open: (id, { userId, ...rotation }) =>
      call(id, async (family) => family.open(userId, rotation)),
    refresh: (id, hash, next) => call(id, async (family) => family.refresh(hash, next)),
    describe: (id, timeoutMs) => call(id, async (family) => family.describe(timeoutMs)),
  };
}
