import { createHmac } from "node:crypto";
import type { AuditAction } from "../../core/audit/actions.ts";
import { DAY_MS } from "../../core/lib/time.ts";
import { type ApiError, tooManyRequests } from "../../core/errors/api-error.ts";
import { aboutUser } from "../../db/audit.ts";
import type { Statement } from "../../db/commit.ts";
import type { Guard } from "../../db/guards.ts";
import { COUNTED_REFUSAL } from "../../db/schema/records.ts";
import type { Visitor, Writing } from "../../access/call.ts";
import * as queries from "../../model/auth/lockout-queries.ts";
import { userIdByEmail } from "../../model/auth/queries.ts";

/**
 * Ten wrong passwords in a row lock an e-mail address for a minute. Each further wrong password
 * doubles the length of the lock, up to a day (docs/build/decisions.md, 4.7).
 */
const POLICY: queries.LockoutPolicy = { attempts: 10, firstMs: 60_000, longestMs: DAY_MS };

/**
 * What wrong passwords are counted for: an e-mail address, or the e-mail address on one device that the user
 * has signed in on before, or in one session. So strangers cannot lock the user out on this device or in this
 * session, and a stolen device token or access token still allows only a few guesses.
 */
export interface LockSubject {
  readonly email: string;
  readonly deviceId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Set for wrong user codes of devices (RFC 8628), which are counted for the signed-in user. */
  readonly ofUserCodes?: boolean;
}

/** The dependencies of the functions that lock e-mail addresses after wrong passwords. */
type LockoutContext = Pick<Visitor, "db" | "now" | "tokens">;

/** One check of a password for an e-mail address that is not locked. */
export interface PasswordAttempt {
  /**
   * The guards that fail if the address is locked or the session has ended. Every commit after the password was checked must
   * contain them.
   */
  readonly guards: readonly Guard[];
  /**
   * The statements that delete the count of wrong passwords. The commit that starts the session or
   * changes the password must contain them. If the login still needs a second factor, `unlock`
   * deletes the count later.
   */
  readonly statements: readonly Statement[];
  /**
   * Counts a wrong password and writes an audit record. The audit action is `user.locked` if this
   * wrong password locks the address, otherwise `action`. The action `COUNTED_REFUSAL` is for an
   * address that no user has.
   */
  readonly fail: (ctx: Writing, action: AuditAction) => Promise<void>;
}

/**
 * Calls `check` with a password attempt, whether or not a user has the e-mail address. While the
 * address is locked, no password is checked or counted. Throws: 429 if the address is locked, or if
 * a parallel attempt locks the address before `check` commits; the errors of `check`.
 */
export async function attemptPassword<T>(
  ctx: LockoutContext,
  subject: LockSubject,
  check: (attempt: PasswordAttempt) => Promise<T>,
): Promise<T> {
  const { email } = subject;
  const emailHash = hashOf(ctx, subject);
  const assertUnlocked = async () => {
    const found = await queries.findLock(ctx.db, emailHash);
    const waitMs = (found?.lockedUntil ?? 0) - ctx.now();
    if (waitMs > 0) throw locked(waitMs);
    return found;
  };
  const failedBefore = (await assertUnlocked()) !== undefined;
  const now = ctx.now();
  const lockedMeanwhile = locked(POLICY.firstMs);
  const guards = [{ holds: queries.notLocked(emailHash, now), error: lockedMeanwhile }] as const;
  try {
    return await check({
      guards,
      statements: failedBefore ? [queries.forgetFailures(emailHash)] : [],
      fail: async (writer, action) => {
        await writer.commit({
          guards,
          statements: [queries.countFailure(emailHash, now, POLICY)],
          audit:
            action === COUNTED_REFUSAL
              ? aboutUser(action, null)
              : aboutUser(queries.failureAction(emailHash, now, action), userIdByEmail(email)),
        });
      },
    });
  } catch (error) {
    // Reads the lock again, which a parallel attempt has set, so that the error states how long the
    // lock still lasts.
    if (error === lockedMeanwhile) await assertUnlocked();
    throw error;
  }
}

/**
 * Returns the statement that ends the lock of an e-mail address and forgets its wrong passwords.
 * Use it only for a user who has entered a second factor or opened a link in an e-mail.
 */
export const unlock = (ctx: LockoutContext, subject: LockSubject): Statement =>
  queries.forgetFailures(hashOf(ctx, subject));

const locked = (waitMs: number): ApiError =>
  tooManyRequests("Too many wrong passwords; wait before you try again", waitMs);

/**
 * Returns the HMAC of an e-mail address, and of the device or session if there is one. Users
 * sometimes type a password into the e-mail field, and a password could be guessed from its plain
 * hash. Rotating the secret changes every HMAC, which ends all locks.
 */
function hashOf({ tokens: { secrets } }: LockoutContext, subject: LockSubject): string {
  const { email, deviceId, sessionId, ofUserCodes } = subject;
  const device = deviceId === undefined ? "" : ` on device ${deviceId}`;
  const session = sessionId === undefined ? "" : ` in session ${sessionId}`;
  const codes = ofUserCodes ? " with user codes" : "";
  const text = `login failures of ${email}${device}${session}${codes}`;
  return createHmac("sha256", secrets[0]).update(text).digest("base64url");
}
