import { eq, sql } from "drizzle-orm";
import type { AuditAction } from "../../core/audit/actions.ts";
import { type ReadDb, write } from "../../db/database.ts";
import { loginFailures } from "../../db/schema/people.ts";

/**
 * Returns `lockedUntil`: when the lock of an e-mail address ends, in epoch milliseconds; null
 * before the first lock. Returns undefined if no wrong password is counted for the address.
 */
export async function findLock(db: ReadDb, emailHash: string) {
  const { lockedUntil } = loginFailures;
  const of = eq(loginFailures.emailHash, emailHash);
  const [found] = await db.select({ lockedUntil }).from(loginFailures).where(of);
  return found;
}

/**
 * Guard: fails if the e-mail address is locked. Every commit after a password check has this guard,
 * so an attacker gains nothing from parallel guesses.
 */
export const notLocked = (emailHash: string, now: number) =>
  sql`NOT EXISTS (SELECT 1 FROM login_failures WHERE email_hash = ${emailHash}
    AND locked_until > ${now})`;

export interface LockoutPolicy {
  /**
   * How many wrong passwords in a row cause the first lock. Each later wrong password locks the
   * address again.
   */
  readonly attempts: number;
  /**
   * How long the first lock of an e-mail address lasts, milliseconds. Each later lock is twice as
   * long as the previous lock.
   */
  readonly firstMs: number;
  /** How long a lock of an e-mail address lasts at most, milliseconds. */
  readonly longestMs: number;
}

/**
 * The maximum number of times that a lock doubles, so that the SQL product stays within 64 bits.
 * One minute doubled 20 times is far above `longestMs`.
 */
const MAX_DOUBLINGS = 20;

export const countFailure = (emailHash: string, now: number, policy: LockoutPolicy) =>
  sql`INSERT INTO login_failures (email_hash, failures, last_at) VALUES (${emailHash}, 1, ${now})
    ON CONFLICT (email_hash) DO UPDATE SET failures = failures + 1, last_at = ${now},
      locked_until = CASE WHEN failures + 1 >= ${policy.attempts} THEN ${now} + min(${policy.longestMs},
        ${policy.firstMs} * (1 << min(failures + 1 - ${policy.attempts}, ${MAX_DOUBLINGS}))) END`;

/**
 * The SQL expression for the audit action of the wrong password that was just counted:
 * `user.locked` if the address is now locked, otherwise `unlockedAction`. Only the transaction
 * knows the count, because wrong passwords of parallel requests are counted too.
 */
export const failureAction = (emailHash: string, now: number, unlockedAction: AuditAction) =>
  sql`(SELECT CASE WHEN locked_until > ${now} THEN 'user.locked' ELSE ${unlockedAction} END
    FROM login_failures WHERE email_hash = ${emailHash})`;

export const forgetFailures = (emailHash: string) =>
  write.delete(loginFailures).where(eq(loginFailures.emailHash, emailHash));
