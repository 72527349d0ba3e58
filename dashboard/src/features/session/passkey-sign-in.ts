import { hasCode } from "../../shared/api/api-error.ts";
import { publicApi } from "../../shared/api/public-client.ts";
import { dataOf } from "../../shared/api/response.ts";
import { storedDevice } from "../../shared/session/device-store.ts";
import { isCancelled, loadPasskeys } from "../../shared/session/passkeys.ts";
import { receive } from "./sign-in.ts";

/**
 * What has come of a sign-in: `cancelled` if the browser has used no passkey, `refused` if the service
 * does not accept it, `expired` if the user must enter the password again.
 */
type Outcome = "signed-in" | "cancelled" | "refused" | "expired";

/**
 * Signs in with a passkey, in all tabs of this browser, or completes the sign-in of `mfaToken`.
 * Throws: ApiError.
 */
export async function signInWithPasskey(mfaToken?: string): Promise<Outcome> {
  const { startAuthentication } = await loadPasskeys();
  const first = mfaToken === undefined ? {} : { mfaToken };
  const optionsJSON = await optionsFor(first);
  if (optionsJSON === "expired") return "expired";
  try {
    const response = await startAuthentication({ optionsJSON });
    const body = { response, ...first, ...storedDevice() };
    receive(await dataOf(publicApi.POST("/api/v1/auth/passkeys/sign-in", { body })));
    return "signed-in";
  } catch (error) {
    if (isCancelled(error)) return "cancelled";
    if (hasCode(error, "UNAUTHORIZED")) return "refused";
    throw error;
  }
}

/** Returns the options of the browser's dialog; "expired" if the MFA token is no longer valid. */
async function optionsFor(first: { mfaToken?: string }) {
  try {
    return await dataOf(publicApi.POST("/api/v1/auth/passkeys/sign-in/options", { body: first }));
  } catch (error) {
    if (hasCode(error, "UNAUTHORIZED")) return "expired";
    throw error;
  }
}
