import { dataOf } from "../api/response.ts";
import { api } from "../api/client.ts";
import type { User } from "../api/types.ts";
import { readSession, writeSession } from "./session-store.ts";
import type { Session } from "./session-store.ts";
import { withSessionLock } from "./session-lock.ts";

/** Stores the user that the server returned, for all pages and tabs. */
export const updateUser = (user: User): Promise<void> =>
  update(user.id, (session) => ({ ...session, user }));

/**
 * Loads the deadline for the second factor and stores it, so that a signed-in user sees a change
 * without signing in again.
 * Throws: ApiError.
 */
export async function updateDeadline(userId: number): Promise<void> {
  const { mfaEnrollmentDeadline } = await dataOf(api.GET("/api/v1/auth/mfa"));
  await update(userId, ({ mfaEnrollmentDeadline: _before, ...session }) => ({
    ...session,
    ...(mfaEnrollmentDeadline !== null && { mfaEnrollmentDeadline }),
  }));
}

/** Changes the stored session if it still belongs to this user. */
function update(userId: number, change: (session: Session) => Session): Promise<void> {
  return withSessionLock(async () => {
    const session = readSession();
    if (session?.user.id !== userId) return;
    const changed = change(session);
    if (JSON.stringify(changed) !== JSON.stringify(session)) writeSession(changed);
  });
}
