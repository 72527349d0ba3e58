import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";

/** Creates a secret. It has no effect before `activate`. */
export const enrol = () => dataOf(api.POST("/api/v1/auth/mfa/enroll"));

/**
 * Turns the second factor on. Returns the recovery codes. Throws: ApiError 400 for a wrong code.
 */
export const activate = async (code: string): Promise<readonly string[]> =>
  (await dataOf(api.POST("/api/v1/auth/mfa/activate", { body: { code } }))).recoveryCodes;

/**
 * Returns new recovery codes; the old ones stop working. Throws: ApiError 400 for a wrong code, 429
 * after too many.
 */
export const renewRecoveryCodes = async (code: string): Promise<readonly string[]> =>
  (await dataOf(api.POST("/api/v1/auth/mfa/recovery-codes", { body: { code } }))).recoveryCodes;

/** Turns the second factor off. Throws as `renewRecoveryCodes`. */
export const disable = (code: string) => api.POST("/api/v1/auth/mfa/disable", { body: { code } });
