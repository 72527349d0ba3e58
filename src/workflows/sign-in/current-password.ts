import type { UserActor } from "@feature-flags/permissions/permissions";
import { MINUTE_MS } from "../../core/lib/time.ts";
import { invalid, unauthorized } from "../../core/errors/api-error.ts";
import type { Guard } from "../../db/guards.ts";
import type { RequestCall, Writing } from "../../access/call.ts";
import { attemptPassword, type PasswordAttempt } from "./lockout.ts";
import { verifyPassword } from "../../access/password.ts";
import { findUserInSession, sessionLives, type UserRow } from "../../model/auth/queries.ts";

/** How long the confirmation by an identity provider counts, milliseconds. */
const CONFIRMED_MS = 10 * MINUTE_MS;

const wrongCurrent = ({ passwordHash }: UserRow) =>
  invalid([
    {
      field: "currentPassword",
      message:
        passwordHash === null
          ? "you have no password: first confirm at your identity provider, in the dashboard or with the intent " +
            "confirm of POST /api/v1/auth/sign-on/{slug}, then leave the field out for 10 minutes in the same session"
          : "must be the current password",
    },
  ]);

/**
 * Returns until when the confirmation by an identity provider counts; null if there is none, or if it
 * does not count any more. All times are epoch milliseconds.
 */
export const confirmedUntil = (confirmedAt: number | null, now: number): number | null =>
  confirmedAt === null || confirmedAt + CONFIRMED_MS <= now ? null : confirmedAt + CONFIRMED_MS;

/**
 * Calls `use` if the signed-in user has entered the right current password, or has omitted it within ten
 * minutes after the identity provider confirmed the user. So a stolen access token alone cannot make the
 * change of `use`. Counts wrong passwords for the session, so that strangers whose failed logins lock the
 * account do not keep its owner from the change. The commit of `use` must contain the guards and the
 * statements of the attempt. Throws: 400 if the password is wrong or missing, 401 if the session has ended
 * meanwhile, 429 after too many wrong passwords; the errors of `use`.
 */
export async function withCurrentPassword<T>(
  ctx: Writing<UserActor> & Pick<RequestCall, "tokens" | "hashing">,
  input: { readonly user: UserRow; readonly currentPassword: string | undefined },
  use: (attempt: PasswordAttempt) => Promise<T>,
): Promise<T> {
  const { user, currentPassword } = input;
  const { sessionId } = ctx.actor;
  // Somebody may end the session while the password is checked.
  const lives: readonly Guard[] =
    sessionId === undefined ? [] : [{ holds: sessionLives(sessionId), error: unauthorized() }];
  const confirmed = (attempt: PasswordAttempt) =>
    use({ ...attempt, guards: [...attempt.guards, ...lives] });
  if (currentPassword === undefined) {
    const found = await findUserInSession(ctx.db, user.id, sessionId);
    if (confirmedUntil(found?.confirmedAt ?? null, ctx.now()) === null) throw wrongCurrent(user);
    return attemptPassword(ctx, { email: user.email, sessionId }, confirmed);
  }
  return attemptPassword(ctx, { email: user.email, sessionId }, async (attempt) => {
    const isRight = await ctx.hashing(user.id, (derive) =>
      verifyPassword(derive, currentPassword, user.passwordHash),
    );
    if (!isRight) {
      await attempt.fail(ctx, "user.password-refused");
      throw wrongCurrent(user);
    }
    return confirmed(attempt);
  });
}
