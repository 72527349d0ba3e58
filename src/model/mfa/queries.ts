import { and, eq, isNotNull, sql } from "drizzle-orm";
import { type ReadDb, write } from "../../db/database.ts";
import { userColumns } from "../auth/queries.ts";
import { recoveryCodes, userMfa, users } from "../../db/schema/people.ts";
import { passkeys } from "../../db/schema/sign-on.ts";

export type MfaRow = typeof userMfa.$inferSelect;

export async function findMfa(db: ReadDb, userId: number): Promise<MfaRow | undefined> {
  return (await db.select().from(userMfa).where(eq(userMfa.userId, userId)))[0];
}

/** Returns the user and the second factor, which is null if the user has enrolled none. */
export async function findUserWithMfa(db: ReadDb, userId: number) {
  const rows = await db
    .select({ user: userColumns, mfa: userMfa })
    .from(users)
    .leftJoin(userMfa, eq(userMfa.userId, users.id))
    .where(eq(users.id, userId));
  return rows[0];
}

export async function countRecoveryCodes(db: ReadDb, userId: number): Promise<number> {
  const count = sql<number>`count(*)`;
  const of = eq(recoveryCodes.userId, userId);
  return (await db.select({ count }).from(recoveryCodes).where(of))[0]?.count ?? 0;
}

export async function hasRecoveryCode(db: ReadDb, userId: number, hash: string): Promise<boolean> {
  const of = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, hash));
  return (await db.select().from(recoveryCodes).where(of)).length > 0;
}

/** Guard: fails if the user has no authenticator app that is turned on. */
const userHasMfa = (userId: number) =>
  sql`EXISTS (SELECT 1 FROM ${userMfa} WHERE ${userMfa.userId} = ${userId} AND ${isNotNull(userMfa.confirmedAt)})`;

/** Guard: fails if the user has neither an authenticator app that is turned on nor a passkey. */
export const userHasSecondFactor = (userId: number) =>
  sql`(${userHasMfa(userId)} OR EXISTS (SELECT 1 FROM passkeys WHERE user_id = ${userId}))`;

export const userHasNoMfa = (userId: number) => sql`NOT ${userHasMfa(userId)}`;

/**
 * Guard: fails if the user's second factor is locked. Every commit after a code check has this
 * guard, so an attacker gains nothing from parallel guesses.
 */
export const notLocked = (userId: number, now: number) =>
  sql`EXISTS (SELECT 1 FROM user_mfa WHERE user_id = ${userId}
    AND (locked_until IS NULL OR locked_until <= ${now}))`;

/**
 * Guard: fails if the enrolment has another secret than the one whose code was checked, or is
 * turned on or locked.
 */
export const enrolmentIsOpen = ({ userId, secret }: MfaRow, now: number) =>
  sql`EXISTS (SELECT 1 FROM user_mfa WHERE user_id = ${userId} AND secret = ${secret}
    AND confirmed_at IS NULL AND (locked_until IS NULL OR locked_until <= ${now}))`;

/**
 * Guard: fails if the code is not newer than the last accepted code of the authenticator app. So
 * each code works only once.
 */
export const stepIsNew = (userId: number, step: number) =>
  sql`EXISTS (SELECT 1 FROM user_mfa WHERE user_id = ${userId} AND last_step < ${step})`;

/** Guard: fails if the user has no unused recovery code with this hash. */
export const codeIsUnused = (userId: number, hash: string) =>
  sql`EXISTS (SELECT 1 FROM recovery_codes WHERE user_id = ${userId} AND hash = ${hash})`;

export const startEnrolment = (userId: number, secret: string, now: number) =>
  sql`INSERT INTO user_mfa (user_id, secret, created_at) VALUES (${userId}, ${secret}, ${now})
    ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at,
      last_step = 0, failed_attempts = 0, locked_until = NULL`;

export const confirm = (userId: number, step: number, now: number) =>
  write
    .update(userMfa)
    .set({ confirmedAt: now, lastStep: step, failedAttempts: 0, lockedUntil: null })
    .where(eq(userMfa.userId, userId));

export const acceptStep = (userId: number, step: number) =>
  write
    .update(userMfa)
    .set({ lastStep: step, failedAttempts: 0, lockedUntil: null })
    .where(eq(userMfa.userId, userId));

export const useRecoveryCode = (userId: number, hash: string) => [
  sql`DELETE FROM recovery_codes WHERE user_id = ${userId} AND hash = ${hash}`,
  sql`UPDATE user_mfa SET failed_attempts = 0, locked_until = NULL WHERE user_id = ${userId}`,
];

export const replaceRecoveryCodes = (userId: number, hashes: readonly string[]) => [
  sql`DELETE FROM recovery_codes WHERE user_id = ${userId}`,
  sql`INSERT INTO recovery_codes (user_id, hash)
    SELECT ${userId}, value FROM json_each(${JSON.stringify(hashes)})`,
];

export interface CodeLockout {
  /**
   * How many wrong codes in a row lock the second factor. After a lock, the same number of wrong
   * codes locks the second factor again.
   */
  readonly attempts: number;
  /**
   * How long the first lock of a second factor lasts, milliseconds. Each later lock is twice as
   * long as the previous lock.
   */
  readonly firstMs: number;
}

/**
 * The statement that counts a wrong code. Every `attempts`-th wrong code in a row locks the second
 * factor. Each lock is twice as long as the previous one, up to ten doublings.
 */
export const countFailure = (userId: number, now: number, policy: CodeLockout) =>
  sql`UPDATE user_mfa SET failed_attempts = failed_attempts + 1,
    locked_until = CASE WHEN (failed_attempts + 1) % ${policy.attempts} = 0
      THEN ${now} + ${policy.firstMs} * (1 << min((failed_attempts + 1) / ${policy.attempts} - 1, 10)) END
    WHERE user_id = ${userId}`;

/**
 * The SQL expression for the audit action after a wrong code: `mfa.locked` if this code locked the
 * second factor, otherwise `mfa.failed`.
 */
export const failureAction = (userId: number) =>
  sql`(SELECT CASE WHEN locked_until IS NULL THEN 'mfa.failed' ELSE 'mfa.locked' END
    FROM user_mfa WHERE user_id = ${userId})`;

export const deleteMfa = (userId: number) =>
  write.delete(userMfa).where(eq(userMfa.userId, userId));

export const deletePasskeys = (userId: number) =>
  write.delete(passkeys).where(eq(passkeys.userId, userId));
