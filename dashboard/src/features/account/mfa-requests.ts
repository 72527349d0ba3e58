import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";

/**
 * Requests a new secret for an authenticator app. Sign-in requires no code until `activateMfa` has
 * succeeded.
 * Throws: ApiError 409 if the second factor is already on.
 */
export const startMfaEnrolment = () => dataOf(api.POST("/api/v1/auth/mfa/enroll"));

/**
 * Turns the second factor on with the first code of the authenticator app. Returns the recovery
 * codes.
 * Throws: ApiError 400 for a wrong code, 409 if the second factor is already on.
 */
export const activateMfa = async (code: string): Promise<readonly string[]> =>
  (await dataOf(api.POST("/api/v1/auth/mfa/activate", { body: { code } }))).recoveryCodes;

/**
 * Replaces the recovery codes and returns the new ones. The old codes stop working.
 * Throws: ApiError 400 for a wrong code, 409 if the second factor is not on, 429 after too many
 * wrong codes.
 */
export const renewRecoveryCodes = async (code: string): Promise<readonly string[]> =>
  (await dataOf(api.POST("/api/v1/auth/mfa/recovery-codes", { body: { code } }))).recoveryCodes;

/**
 * Turns the second factor off.
 * Throws: ApiError 400 for a wrong code, 409 if the second factor is not on, 429 after too many
 * wrong codes.
 */
export const disableMfa = (code: string) =>
  api.POST("/api/v1/auth/mfa/disable", { body: { code } });
