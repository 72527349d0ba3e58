import { hasCode } from "../../shared/api/api-error.ts";
import { fieldErrorsOf } from "../../shared/api/field-errors.ts";
import { send } from "../../shared/api/request.ts";
import { dataOf } from "../../shared/api/response.ts";
import { publicApi } from "../../shared/api/public-client.ts";
import type { Schemas, User } from "../../shared/api/types.ts";
import { storeDevice } from "../../shared/session/device-store.ts";
import { updateUser } from "../../shared/session/update-session.ts";
import { receive } from "./sign-in.ts";
import { signOut } from "./sign-out.ts";

/** `invalid-link`: the token is wrong, has expired, or was used before. */
type LinkOutcome = "done" | "invalid-link";

/**
 * Requests a password reset mail. The service responds in the same way whether or not a user with
 * this email address exists.
 * Throws: ApiError.
 */
export async function forgotPassword(email: string): Promise<void> {
  await publicApi.POST("/api/v1/auth/forgot-password", { body: { email } });
}

/** Returns null for a link that does not work. Throws: ApiError. */
export async function readInvitation(token: string): Promise<Schemas["Invitation"] | null> {
  try {
    return await dataOf(publicApi.POST("/api/v1/auth/invitation", { body: { token } }));
  } catch (error) {
    if (isInvalidLink(error)) return null;
    throw error;
  }
}

/**
 * Accepts an invitation and signs the user in. Ends the session that this browser had before. An
 * empty `name` keeps the name in the invitation.
 * Throws: ApiError, with field errors.
 */
export function acceptInvite(
  token: string,
  { name, password }: { name: string; password: string },
  locale: string,
): Promise<LinkOutcome> {
  return withLink(async () => {
    const body = { token, password, ...(name !== "" && { name }) };
    const session = await dataOf(publicApi.POST("/api/v1/auth/accept-invite", { body }));
    await signOut();
    receive(session);
    await saveLanguage(session.user, locale);
  });
}

/** Saves the language of the invitation page in the new user's account. */
async function saveLanguage(user: User, locale: string): Promise<void> {
  if (user.locale === locale) return;
  try {
    await updateUser(await send("put", "/api/v1/auth/me", { body: { locale } }));
  } catch {
    // Ignore the error, because the user can choose the language later on the profile page.
  }
}

/**
 * Sets a new password. The service ends every session of the user; the session in this browser ends
 * too.
 * Throws: ApiError, with field errors.
 */
export function resetPassword(token: string, password: string): Promise<LinkOutcome> {
  return withLink(async () => {
    const body = { token, password };
    storeDevice(await dataOf(publicApi.POST("/api/v1/auth/reset-password", { body })));
    await signOut();
  });
}

async function withLink(task: () => Promise<void>): Promise<LinkOutcome> {
  try {
    await task();
    return "done";
  } catch (error) {
    if (isInvalidLink(error)) return "invalid-link";
    throw error;
  }
}

const isInvalidLink = (error: unknown): boolean =>
  hasCode(error, "UNAUTHORIZED") || "token" in fieldErrorsOf(error);
