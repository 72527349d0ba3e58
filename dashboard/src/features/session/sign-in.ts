import { hasCode } from "../../shared/api/api-error.ts";
import { dataOf } from "../../shared/api/response.ts";
import { publicApi } from "../../shared/api/public-client.ts";
import type { Schemas } from "../../shared/api/types.ts";
import { storeDevice, storedDevice } from "../../shared/session/device-store.ts";
import { toSession, writeSession } from "../../shared/session/session-store.ts";
import type { SignOnProblem } from "../../shared/session/sign-on.ts";

/** The token for `verifyCode`, and which second factors the account has. */
export type SecondStep = Pick<Schemas["MfaRequired"], "mfaToken" | "secondFactors">;

/** A sign-in that is complete, or its second step if the account has a second factor. */
export type SignInResult = "signed-in" | { secondStep: SecondStep };

/** Stores the session of a sign-in in all tabs of this browser, unless a second factor is missing. */
export function receive(response: Schemas["Session"] | Schemas["MfaRequired"]): SignInResult {
  if ("mfaRequired" in response) {
    const { mfaToken, secondFactors } = response;
    return { secondStep: { mfaToken, secondFactors } };
  }
  storeDevice(response);
  writeSession(toSession(response));
  return "signed-in";
}

/**
 * Signs the user in, in all tabs of this browser. If the account has a second factor, returns the
 * second step instead, and the user is not signed in yet.
 * Throws: ApiError, for example `INVALID_CREDENTIALS`.
 */
export async function signIn(email: string, password: string): Promise<SignInResult> {
  const body = { email, password, ...storedDevice() };
  return receive(await dataOf(publicApi.POST("/api/v1/auth/login", { body })));
}

/**
 * Completes a sign-in with a second factor. `code` is a code of the authenticator app or a recovery
 * code. Returns "expired" if `mfaToken` is no longer valid: the user must enter the password again.
 * Throws: ApiError, for example `INVALID_CREDENTIALS` for a wrong code.
 */
export async function verifyCode(mfaToken: string, code: string): Promise<"signed-in" | "expired"> {
  try {
    const response = await dataOf(
      publicApi.POST("/api/v1/auth/mfa/verify", { body: { mfaToken, code, ...storedDevice() } }),
    );
    receive(response);
    return "signed-in";
  } catch (error) {
    if (hasCode(error, "UNAUTHORIZED")) return "expired";
    throw error;
  }
}

/** The key of a text of `session`. */
export type Notice = "endedNotice" | "passwordChanged" | "tooLong" | `problems.${SignOnProblem}`;

/** What the sign-in page shows first. */
export interface SignInStart {
  /** The message above the form, for example after a password reset. */
  readonly notice?: Notice;
  /** The second step of the sign-in, if the user has completed the first one. */
  readonly secondStep?: SecondStep;
}
