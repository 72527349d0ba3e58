import createClient from "openapi-fetch";
import { readSession } from "../session/session-store.ts";
import { ApiError, hasCode, hasStatus } from "./api-error.ts";
import { sendRequest } from "./send-request.ts";
import { refreshSession } from "./refresh-session.ts";
import type { paths } from "./schema.d.ts";

/** The management API in the name of whoever is signed in. Its calls throw ApiError. */
export const api = createClient<paths>({ fetch: authorized });

/**
 * When the access token has expired, the session is refreshed and the call repeated, once. A
 * session that cannot be refreshed is over: the store is emptied, and the 401 is thrown.
 */
async function authorized(request: Request): Promise<Response> {
  const accessToken = readSession()?.accessToken;
  if (accessToken === undefined)
    throw new ApiError({ status: 401, code: "UNAUTHORIZED", message: "You are signed out." });
  const again = request.clone();
  try {
    return await sendRequest(withToken(request, accessToken));
  } catch (error) {
    if (!isTokenRefused(error)) throw error;
    const renewed = await refreshSession(accessToken);
    if (!renewed) throw error;
    return sendRequest(withToken(again, renewed.accessToken));
  }
}

function withToken(request: Request, token: string): Request {
  request.headers.set("Authorization", `Bearer ${token}`);
  return request;
}

/** A 401 may also refuse a password in the body; only one about the token calls for a refresh. */
function isTokenRefused(error: unknown): boolean {
  return hasStatus(error, 401) && !hasCode(error, "INVALID_CREDENTIALS");
}
