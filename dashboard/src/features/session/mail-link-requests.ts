import { hasCode } from "../../shared/api/api-error.ts";
import { fieldErrorsOf } from "../../shared/api/field-errors.ts";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import { publicApi } from "../../shared/api/public-client.ts";
import type { User } from "../../shared/api/types.ts";
import { toSession, writeSession } from "../../shared/session/session-store.ts";
import { updateUser } from "../../shared/session/update-session.ts";
import { signOut } from "./sign-out.ts";

/** A link of a mail works once, and for a while. */
type LinkOutcome = "done" | "useless-link";

/** Has a mail with a link sent, if there is such a user: the answer does not tell. Throws ApiError. */
export async function forgotPassword(email: string): Promise<void> {
  await publicApi.POST("/api/v1/auth/forgot-password", { body: { email } });
}

/**
 * Joins an invited user and signs in, in the place of whoever was signed in here. An empty name
 * leaves the one of the invitation. Throws ApiError, with the errors of the fields.
 */
export function acceptInvite(
  token: string,
  { name, password }: { name: string; password: string },
  locale: string,
): Promise<LinkOutcome> {
  return withLink(async () => {
    const body = { token, password, ...(name !== "" && { name }) };
    const answer = await dataOf(publicApi.POST("/api/v1/auth/accept-invite", { body }));
    await signOut();
    writeSession(toSession(answer));
    await keepLanguage(answer.user, locale);
  });
}

/** In the language in which somebody has joined, the work goes on. */
async function keepLanguage(user: User, locale: string): Promise<void> {
  if (user.locale === locale) return;
  try {
    await updateUser(await dataOf(api.PUT("/api/v1/auth/me", { body: { locale } })));
  } catch {
    // It can be chosen again in the profile.
  }
}

/** Ends every session of the user, and the one in this browser. Throws as `acceptInvite`. */
export function resetPassword(token: string, password: string): Promise<LinkOutcome> {
  return withLink(async () => {
    await publicApi.POST("/api/v1/auth/reset-password", { body: { token, password } });
    await signOut();
  });
}

async function withLink(task: () => Promise<void>): Promise<LinkOutcome> {
  try {
    await task();
    return "done";
  } catch (error) {
    if (hasCode(error, "UNAUTHORIZED") || "token" in fieldErrorsOf(error)) return "useless-link";
    throw error;
  }
}
