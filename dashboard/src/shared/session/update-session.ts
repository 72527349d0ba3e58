import { send } from "../api/request.ts";
import type { User } from "../api/types.ts";
import { readSession, writeSession } from "./session-store.ts";
import type { Session } from "./session-store.ts";
import { withSessionLock } from "./session-lock.ts";

/** Stores the account that the server returned, so that all pages and tabs show it. */
export const updateUser = (user: User): Promise<void> =>
  update(user.id, (session) => ({ ...session, user }));

/**
 * Loads the deadline for setting up a second factor and stores it in the session, so that the user
 * sees a change of the deadline without signing in again.
 * Throws: ApiError.
 */
export async function updateDeadline(userId: number): Promise<void> {
  const { mfaEnrollmentDeadline } = await send("get", "/api/v1/auth/mfa");
  await update(userId, ({ mfaEnrollmentDeadline: _before, ...session }) => ({
    ...session,
    ...(mfaEnrollmentDeadline !== null && { mfaEnrollmentDeadline }),
  }));
}

/** Changes the stored session, but only if it still belongs to the user `userId`. */
function update(userId: number, change: (session: Session) => Session): Promise<void> {
  return withSessionLock(async () => {
    const session = readSession();
    if (session?.user.id !== userId) return;
    const changed = change(session);
    if (JSON.stringify(changed) !== JSON.stringify(session)) writeSession(changed);
  });
}
