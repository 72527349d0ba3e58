import { readSession } from "../session/session-store.ts";
import { ApiError } from "./api-error.ts";
import { refreshSession } from "./refresh.ts";
import { send } from "./send.ts";
import type { SendOptions } from "./send.ts";

/**
 * A call in the name of the signed-in user. When the access token has expired, the session is
 * refreshed and the call repeated, once. A session that cannot be refreshed is over: the store is
 * emptied, which takes every tab to the sign-in page, and the 401 is thrown.
 */
export async function request<T>(
  path: string,
  options: Omit<SendOptions, "accessToken"> = {},
): Promise<T> {
  const accessToken = readSession()?.accessToken;
  if (!accessToken) {
    throw new ApiError({ status: 401, code: "UNAUTHORIZED", message: "You are signed out." });
  }
  try {
    return await send<T>(path, { ...options, accessToken });
  } catch (error) {
    if (!isTokenRefused(error)) throw error;
    const renewed = await refreshSession(accessToken);
    if (!renewed) throw error;
    return send<T>(path, { ...options, accessToken: renewed.accessToken });
  }
}

/** A 401 may also refuse a password in the body; only one about the token calls for a refresh. */
function isTokenRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.code !== "INVALID_CREDENTIALS";
}
