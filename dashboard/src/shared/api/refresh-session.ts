import { endSession, readSession, renewSession, toSession } from "../session/session-store.ts";
import type { Session } from "../session/session-store.ts";
import { withSessionLock } from "../session/session-lock.ts";
import { hasStatus } from "./api-error.ts";
import { dataOf } from "./response.ts";
import { publicApi } from "./public-client.ts";

let pending: { rejectedToken: string; outcome: Promise<Session | null> } | undefined;

/**
 * Renews the session after the server refused `rejectedToken`. Presenting a refresh token twice
 * revokes its whole family, so calls for the same token share one outcome, and tabs take turns.
 * Gives the session to go on with, null when it is over. Throws ApiError when the server could not
 * be asked; the session is kept then.
 */
export function refreshSession(rejectedToken: string): Promise<Session | null> {
  if (pending?.rejectedToken === rejectedToken) return pending.outcome;
  const outcome = withSessionLock(() => renew(rejectedToken)).finally(() => {
    if (pending?.outcome === outcome) pending = undefined;
  });
  pending = { rejectedToken, outcome };
  return outcome;
}

async function renew(rejectedToken: string): Promise<Session | null> {
  const session = readSession();
  // Signed out, or renewed by the tab that had its turn before.
  if (!session || session.accessToken !== rejectedToken) return session;
  try {
    const { refreshToken } = session;
    const renewed = await dataOf(
      publicApi.POST("/api/v1/auth/refresh", { body: { refreshToken } }),
    );
    // Only a sign-in answers the deadline.
    return renewSession(session, { ...deadlineOf(session), ...toSession(renewed) });
  } catch (error) {
    if (hasStatus(error, 401)) return endSession(session);
    throw error;
  }
}

const deadlineOf = ({ mfaEnrollmentDeadline }: Session) =>
  mfaEnrollmentDeadline === undefined ? {} : { mfaEnrollmentDeadline };
