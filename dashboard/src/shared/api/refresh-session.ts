import { endSession, readSession, renewSession, toSession } from "../session/session-store.ts";
import type { Session } from "../session/session-store.ts";
import { withSessionLock } from "../session/session-lock.ts";
import { hasStatus } from "./api-error.ts";
import { dataOf } from "./response.ts";
import { publicApi } from "./public-client.ts";

let pending: { rejectedToken: string; result: Promise<Session | null> } | undefined;

/**
 * Renews the session after the server has rejected the access token `rejectedToken`. If a refresh
 * token is used twice, the server revokes all tokens of the session. Therefore concurrent calls
 * share one promise, and a lock keeps two tabs from renewing at the same time. Returns the current
 * session, or null if the session has ended.
 * Throws: ApiError if the renewal fails with a status other than 401. The session is kept in this
 * case.
 */
export function refreshSession(rejectedToken: string): Promise<Session | null> {
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
