import createClient from "openapi-fetch";
import { readSession } from "../session/session-store.ts";
import { ApiError, hasCode, hasStatus } from "./api-error.ts";
import { sendRequest } from "./send-request.ts";
import { refreshSession } from "./refresh-session.ts";
import type { paths } from "./schema.d.ts";

/** Client of the management API, authenticated as the signed-in user. Throws: ApiError. */
export const api = createClient<paths>({ fetch: authorized });

/**
 * When the server rejects the access token, refreshes the session and repeats the call once. When
 * the session cannot be refreshed, it is ended, and the 401 is thrown.
 */
async function authorized(request: Request): Promise<Response> {
  const accessToken = readSession()?.accessToken;
  if (accessToken === undefined)
    throw new ApiError({ status: 401, code: "UNAUTHORIZED", message: "You are signed out." });
  const retry = request.clone();
  try {
    return await sendRequest(withToken(request, accessToken));
  } catch (error) {
    if (!isTokenRejected(error)) throw error;
    const renewed = await refreshSession(accessToken);
    if (!renewed) throw error;
    return sendRequest(withToken(retry, renewed.accessToken));
  }
}

function withToken(request: Request, token: string): Request {
  request.headers.set("Authorization", `Bearer ${token}`);
  return request;
}

/**
 * A 401 with `INVALID_CREDENTIALS` is about a password in the body. Any other 401 is about the
 * token.
 */
function isTokenRejected(error: unknown): boolean {
  return hasStatus(error, 401) && !hasCode(error, "INVALID_CREDENTIALS");
}
