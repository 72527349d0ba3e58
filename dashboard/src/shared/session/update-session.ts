import { dataOf } from "../api/response.ts";
import { api } from "../api/client.ts";
import type { User } from "../api/types.ts";
import { readSession, writeSession } from "./session-store.ts";
import type { Session } from "./session-store.ts";
import { withSessionLock } from "./session-lock.ts";

/** Every page shows the user as the server has just answered it. */
export const updateUser = (user: User): Promise<void> =>
  update(user.id, (session) => ({ ...session, user }));

/**
 * Asks by when the user needs a second factor: whoever is signed in when it becomes a must, or sets
 * one up, hears of it without signing in again. Throws ApiError.
 */
export async function updateDeadline(userId: number): Promise<void> {
  const { mfaEnrollmentDeadline } = await dataOf(api.GET("/api/v1/auth/mfa"));
  await update(userId, ({ mfaEnrollmentDeadline: _before, ...session }) => ({
    ...session,
    ...(mfaEnrollmentDeadline !== null && { mfaEnrollmentDeadline }),
  }));
}

/** Changes the stored session if it still is this user's. */
function update(userId: number, change: (session: Session) => Session): Promise<void> {
  return withSessionLock(async () => {
    const session = readSession();
    if (session?.user.id !== userId) return;
    const changed = change(session);
    if (JSON.stringify(changed) !== JSON.stringify(session)) writeSession(changed);
  });
}
