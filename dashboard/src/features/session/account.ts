import { hasCode } from "../../shared/api/api-error.ts";
import { fieldFaults } from "../../shared/api/field-faults.ts";
import { send } from "../../shared/api/send.ts";
import type { SessionAnswer, User } from "../../shared/api/types.ts";
import { toSession, writeSession } from "../../shared/session/session-store.ts";
import { signOut } from "./sign-out.ts";

/** A link of a mail works once, and for a while. */
type LinkOutcome = "done" | "useless-link";

/** Has a mail with a link sent, if there is such a user: the answer does not tell. Throws ApiError. */
export function forgotPassword(email: string): Promise<void> {
  return send<undefined>("/auth/forgot-password", { method: "POST", body: { email } });
}

/**
 * Joins an invited user and signs in, in the place of whoever was signed in here.
 * An empty name leaves the one of the invitation. Throws ApiError, with faults of the fields.
 */
export function acceptInvite(
  token: string,
  { name, password }: { name: string; password: string },
): Promise<LinkOutcome> {
  return withLink(async () => {
    const body = { token, password, ...(name !== "" && { name }) };
    const answer = await send<SessionAnswer>("/auth/accept-invite", { method: "POST", body });
    await signOut();
    writeSession(toSession(answer));
  });
}

/** Ends every session of the user, and the one in this browser. Throws as `acceptInvite`. */
export function resetPassword(token: string, password: string): Promise<LinkOutcome> {
  return withLink(async () => {
    await send<User>("/auth/reset-password", { method: "POST", body: { token, password } });
    await signOut();
  });
}

async function withLink(task: () => Promise<void>): Promise<LinkOutcome> {
  try {
    await task();
    return "done";
  } catch (error) {
    if (hasCode(error, "UNAUTHORIZED") || "token" in fieldFaults(error)) return "useless-link";
    throw error;
  }
}
