import createClient from "openapi-fetch";
import { endDeletedSession, readSession } from "../session/session-store.ts";
import { ApiError, hasCode, hasStatus } from "./api-error.ts";
import { sendRequest } from "./send-request.ts";
import { refreshSession } from "./refresh-session.ts";
import type { paths } from "./schema.d.ts";

/**
 * The client of the management API (openapi-fetch). Sends the access token of the signed-in user.
 * Throws: ApiError, with the status 401 if nobody is signed in or the session has ended.
 */
export const api = createClient<paths>({
  fetch: (request) => sendAuthorized(request, sendRequest),
});

/**
 * Sends a request with the access token of the stored session. If the server rejects the access
 * token, renews the session and sends the request once more. If the session has ended, throws the
 * 401 of the server.
 */
export async function sendAuthorized(
  request: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  const session = readSession();
  if (!session) {
    endDeletedSession();
    throw new ApiError({ status: 401, code: "UNAUTHORIZED", message: "You are signed out." });
  }
  const { accessToken, user } = session;
  const retry = request.clone();
  try {
    return await send(withToken(request, accessToken));
  } catch (error) {
    if (!isTokenRejected(error)) throw error;
    const renewed = await refreshSession(accessToken);
    // Another user may have signed in in another tab meanwhile. The request is not repeated in that
    // user's name.
    if (renewed?.user.id !== user.id) throw error;
    return send(withToken(retry, renewed.accessToken));
  }
}

function withToken(request: Request, token: string): Request {
  request.headers.set("Authorization", `Bearer ${token}`);
  return request;
}

/**
 * Whether the error is a 401 about the access token. A 401 with `INVALID_CREDENTIALS` is about a
 * password in the request body instead.
 */
function isTokenRejected(error: unknown): boolean {
  return hasStatus(error, 401) && !hasCode(error, "INVALID_CREDENTIALS");
}
