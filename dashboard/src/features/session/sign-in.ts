import { send } from "../../shared/api/send.ts";
import type { SessionAnswer } from "../../shared/api/types.ts";
import { toSession, writeSession } from "../../shared/session/session-store.ts";

interface SecondFactorAnswer {
  mfaRequired: true;
  mfaToken: string;
}

/**
 * Opens a session, in all tabs. Gives "second-factor" when the account asks for a code as well:
 * nobody is signed in yet then. Throws ApiError, `INVALID_CREDENTIALS` among others.
 */
export async function signIn(
  email: string,
  password: string,
): Promise<"signed-in" | "second-factor"> {
  const answer = await send<SessionAnswer | SecondFactorAnswer>("/auth/login", {
    method: "POST",
    body: { email, password },
  });
  if ("mfaRequired" in answer) return "second-factor";
  writeSession(toSession(answer));
  return "signed-in";
}
