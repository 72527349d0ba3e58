import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";

/** A new secret; it asks nobody for anything before it is activated. */
export const enrol = () => dataOf(api.POST("/api/v1/auth/mfa/enroll"));

/** Turns it on. Gives the recovery codes. Errors: 400 for a wrong code. */
export const activate = async (code: string): Promise<readonly string[]> =>
  (await dataOf(api.POST("/api/v1/auth/mfa/activate", { body: { code } }))).recoveryCodes;

/** Errors: 400 for a wrong code, 429 after many. */
export const renewRecoveryCodes = async (code: string): Promise<readonly string[]> =>
  (await dataOf(api.POST("/api/v1/auth/mfa/recovery-codes", { body: { code } }))).recoveryCodes;

/** Errors as `renewRecoveryCodes`. */
export const disable = (code: string) => api.POST("/api/v1/auth/mfa/disable", { body: { code } });
