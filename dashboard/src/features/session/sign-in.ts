import { hasCode } from "../../shared/api/api-error.ts";
import { dataOf } from "../../shared/api/response.ts";
import { publicApi } from "../../shared/api/public-client.ts";
import { toSession, writeSession } from "../../shared/session/session-store.ts";

/**
 * Opens a session, in all tabs. Gives a token for `verifyCode` when the account asks for a code as
 * well: nobody is signed in yet then. Throws ApiError, `INVALID_CREDENTIALS` among others.
 */
export async function signIn(
  email: string,
  password: string,
): Promise<"signed-in" | { mfaToken: string }> {
  const answer = await dataOf(publicApi.POST("/api/v1/auth/login", { body: { email, password } }));
  if ("mfaRequired" in answer) return { mfaToken: answer.mfaToken };
  writeSession(toSession(answer));
  return "signed-in";
}

/**
 * The second step, with a code of the authenticator app or a recovery code. Gives "expired" when
 * the first step has to be repeated. Throws ApiError, `INVALID_CREDENTIALS` for a wrong code.
 */
export async function verifyCode(mfaToken: string, code: string): Promise<"signed-in" | "expired"> {
  try {
    const answer = await dataOf(
      publicApi.POST("/api/v1/auth/mfa/verify", { body: { mfaToken, code } }),
    );
    writeSession(toSession(answer));
    return "signed-in";
  } catch (error) {
    if (hasCode(error, "UNAUTHORIZED")) return "expired";
    throw error;
  }
}
