import { endSession, readSession, renewSession, toSession } from "../session/session-store.ts";
import type { Session } from "../session/session-store.ts";
import { withSessionLock } from "../session/session-lock.ts";
import { hasStatus } from "./api-error.ts";
import { dataOf } from "./response.ts";
import { publicApi } from "./public-client.ts";

let pending: { rejectedToken: string; result: Promise<Session | null> } | undefined;

/**
 * Renews the session after the server rejected the access token `rejectedToken`. Presenting a
 * refresh token twice revokes its whole family, so concurrent calls share one promise and tabs take
 * a lock. Returns the session to continue with; null when it is over.
 * Throws: ApiError when no response arrived; the session is kept then.
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
  // The user signed out, or another tab renewed the session while this one waited for the lock.
  if (!session || session.accessToken !== rejectedToken) return session;
  try {
    const { refreshToken } = session;
    const renewed = await dataOf(
      publicApi.POST("/api/v1/auth/refresh", { body: { refreshToken } }),
    );
    // Only the sign-in response contains the deadline.
    return renewSession(session, { ...deadlineOf(session), ...toSession(renewed) });
  } catch (error) {
    if (hasStatus(error, 401)) return endSession(session);
    throw error;
  }
}

const deadlineOf = ({ mfaEnrollmentDeadline }: Session) =>
  mfaEnrollmentDeadline === undefined ? {} : { mfaEnrollmentDeadline };
