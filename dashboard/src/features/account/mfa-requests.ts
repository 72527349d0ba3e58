import { api } from "../../shared/api/client.ts";
import { send } from "../../shared/api/request.ts";
import type { Schemas } from "../../shared/api/types.ts";

/**
 * Requests a new secret for an authenticator app. Sign-in requires no code until `activateMfa` has
 * succeeded.
 * Throws: ApiError 400 for a wrong password, 409 if the second factor is already on, 429 after too
 * many wrong passwords.
 */
export const startMfaEnrolment = (body: Schemas["MfaEnrol"]) =>
  send("post", "/api/v1/auth/mfa/enroll", { body });

/**
 * Turns the second factor on with the first code of the authenticator app. Returns the recovery
 * codes.
 * Throws: ApiError 400 for a wrong code, 409 if the second factor is already on, 429 after too many
 * wrong codes.
 */
export const activateMfa = async (code: string): Promise<readonly string[]> =>
  (await send("post", "/api/v1/auth/mfa/activate", { body: { code } })).recoveryCodes;

/**
 * Replaces the recovery codes and returns the new ones. The old codes stop working.
 * Throws: ApiError 400 for a wrong password or code, 409 if the second factor is not on, 429 after
 * too many wrong passwords or codes.
 */
export const renewRecoveryCodes = async (
  body: Schemas["MfaConfirmation"],
): Promise<readonly string[]> =>
  (await send("post", "/api/v1/auth/mfa/recovery-codes", { body })).recoveryCodes;

/**
 * Turns the second factor off. Throws the same errors as `renewRecoveryCodes`.
 */
export const disableMfa = (body: Schemas["MfaConfirmation"]) =>
  api.POST("/api/v1/auth/mfa/disable", { body });
