import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";

/**
 * Asks the service for a new second-factor secret. Sign-in requires no code until `activateMfa` has
 * succeeded.
 */
export const startMfaEnrolment = () => dataOf(api.POST("/api/v1/auth/mfa/enroll"));

/**
 * Turns the second factor on with the first code of the authenticator app. Returns the recovery
 * codes.
 * Throws: ApiError 400 for a wrong code.
 */
export const activateMfa = async (code: string): Promise<readonly string[]> =>
  (await dataOf(api.POST("/api/v1/auth/mfa/activate", { body: { code } }))).recoveryCodes;

/**
 * Returns new recovery codes. The old codes stop working.
 * Throws: ApiError 400 for a wrong code, 429 after too many wrong codes.
 */
export const renewRecoveryCodes = async (code: string): Promise<readonly string[]> =>
  (await dataOf(api.POST("/api/v1/auth/mfa/recovery-codes", { body: { code } }))).recoveryCodes;

/**
 * Turns the second factor off.
 * Throws: ApiError 400 for a wrong code, 429 after too many wrong codes.
 */
export const disableMfa = (code: string) =>
  api.POST("/api/v1/auth/mfa/disable", { body: { code } });
