import { UnavailableError } from "../../core/errors/unavailable-error.ts";
import type { RefreshDecision } from "../../core/sessions/refresh-family.ts";
import type { FamilyStore } from "../../management/auth/ports.ts";
import { countObjectUse } from "../metrics.ts";
import type { RefreshFamilyObject } from "./refresh-family-object.ts";
import { withTimeout } from "../bindings/timeout.ts";

/** The timeout of a call to the Durable Object of a refresh family, milliseconds. */
const CALL_TIMEOUT_MS = 5_000;

/** The rows of a saved family: the family and its token. An alarm is one row more. */
const SAVED_ROWS = 2;
const ALARM_ROWS = 1;

const rowsOfRefresh = (decision: RefreshDecision): number =>
  ("family" in decision ? SAVED_ROWS : 0) + (decision.outcome === "rotated" ? ALARM_ROWS : 0);

/**
 * Returns the store of refresh families. Each family is a Durable Object with the family id as its
 * name. The methods throw `UnavailableError`.
 */
export function refreshFamilies(env: Env): FamilyStore {
  const call = async <T>(
    familyId: string,
    method: (object: DurableObjectStub<RefreshFamilyObject>) => Promise<T>,
  ): Promise<T> => {
    countObjectUse("sessions", 1);
    try {
      const object = env.REFRESH_FAMILIES.getByName(familyId);
      return await withTimeout(CALL_TIMEOUT_MS, () => method(object));
    } catch (error) {
      throw new UnavailableError("A refresh family does not respond", { cause: error });
    }
  };
  return {
    open: async (id, { userId, ...rotation }) => {
      await call(id, async (family) => family.open(userId, rotation));
      countObjectUse("sessions", 0, SAVED_ROWS + ALARM_ROWS);
    },
    refresh: async (id, hash, next) => {
      const decision = await call(id, async (family) => family.refresh(hash, next));
      countObjectUse("sessions", 0, rowsOfRefresh(decision));
      return decision;
    },
    describe: (id, timeoutMs) => call(id, async (family) => family.describe(timeoutMs)),
  };
}
