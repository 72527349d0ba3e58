import createClient from "openapi-fetch";
import { withSessionLock } from "../session/session-lock.ts";
import {
  endDeletedSession,
  readSession,
  endSession,
  renewSession,
  toSession,
  type Session,
} from "../session/session-store.ts";
import { ApiError, hasCode, hasStatus } from "./api-error.ts";
import { publicApi } from "./public-client.ts";
import { dataOf } from "./response.ts";
import { sendRequest } from "./send-request.ts";
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

let pending: { rejectedToken: string; result: Promise<Session | null> } | undefined;

/**
 * Renews the session after the server has rejected the access token `rejectedToken`. If a refresh
 * token is used twice, the server revokes all tokens of the session. Therefore concurrent calls
 * share one promise, and a lock keeps two tabs from renewing at the same time. Returns the current
 * session, or null if the session has ended.
 * Throws: ApiError if the renewal fails with a status other than 401. The session is kept in this
 * case.
 */
function refreshSession(rejectedToken: string): Promise<Session | null> {
  if (pending?.rejectedToken === rejectedToken) return pending.result;
  const result = withSessionLock(() => renew(rejectedToken)).finally(() => {
    if (pending?.result === result) pending = undefined;
  });
  pending = { rejectedToken, result };
  return result;
}

async function renew(rejectedToken: string): Promise<Session | null> {
  const session = readSession();
  // The user signed out, or another tab renewed the session, while this call waited for the lock.
  if (!session || session.accessToken !== rejectedToken) return session;
  try {
    const { refreshToken } = session;
    const renewed = await dataOf(
      publicApi.POST("/api/v1/auth/refresh", { body: { refreshToken } }),
    );
    // Keep the deadline for setting up a second factor, because the response to a token renewal
    // does not contain the deadline.
    return renewSession(session, { ...deadlineOf(session), ...toSession(renewed) });
  } catch (error) {
    if (hasStatus(error, 401)) return endSession(session);
    throw error;
  }
}

const deadlineOf = ({ mfaEnrollmentDeadline }: Session) =>
  mfaEnrollmentDeadline === undefined ? {} : { mfaEnrollmentDeadline };
