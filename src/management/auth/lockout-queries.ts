import { eq, sql } from "drizzle-orm";
import { type ReadDb, write } from "../../db/database.ts";
import { loginFailures } from "../../db/schema/people.ts";

/**
 * Returns the lock of an address; undefined if no login has failed. `lockedUntil` is null before
 * the first lock.
 */
export async function findLock(db: ReadDb, emailHash: string) {
  const { lockedUntil } = loginFailures;
  const of = eq(loginFailures.emailHash, emailHash);
  const [found] = await db.select({ lockedUntil }).from(loginFailures).where(of);
  return found;
}

/**
 * Guard: passes while the address is not locked. Every commit after a password attempt has this
 * guard, so an attacker gains nothing from parallel guesses.
 */
export const notLocked = (emailHash: string, now: number) =>
  sql`NOT EXISTS (SELECT 1 FROM login_failures WHERE email_hash = ${emailHash}
    AND locked_until > ${now})`;

export interface LockoutPolicy {
  /** The number of failures in a row that cause the first lock. Each later failure locks again. */
  readonly attempts: number;
  /** The length of the first lock in milliseconds. Each later lock is twice as long. */
  readonly firstMs: number;
  /** The maximum length of a lock in milliseconds. */
  readonly longestMs: number;
}

/** Limits the bit shift in SQL to 64 bits. One minute doubled 20 times is far above `longestMs`. */
const MAX_DOUBLINGS = 20;

export const countFailure = (emailHash: string, now: number, policy: LockoutPolicy) =>
  sql`INSERT INTO login_failures (email_hash, failures, last_at) VALUES (${emailHash}, 1, ${now})
    ON CONFLICT (email_hash) DO UPDATE SET failures = failures + 1, last_at = ${now},
      locked_until = CASE WHEN failures + 1 >= ${policy.attempts} THEN ${now} + min(${policy.longestMs},
        ${policy.firstMs} * (1 << min(failures + 1 - ${policy.attempts}, ${MAX_DOUBLINGS}))) END`;

/**
 * The audit action for the failure that was just counted: `user.locked` if it locked the address,
 * otherwise `unlockedAction`. Decided in SQL, because parallel failures count together.
 */
export const failureAction = (emailHash: string, now: number, unlockedAction: string) =>
  sql`(SELECT CASE WHEN locked_until > ${now} THEN 'user.locked' ELSE ${unlockedAction} END
    FROM login_failures WHERE email_hash = ${emailHash})`;

export const forgetFailures = (emailHash: string) =>
  write.delete(loginFailures).where(eq(loginFailures.emailHash, emailHash));
