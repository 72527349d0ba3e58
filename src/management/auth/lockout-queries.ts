import { eq, sql } from "drizzle-orm";
import { type ReadDb, write } from "../../db/database.ts";
import { loginFailures } from "../../db/schema/people.ts";

/** When the lock ends, or ended, if there was one; undefined: nothing failed. */
export async function findLock(db: ReadDb, emailHash: string) {
  const { lockedUntil } = loginFailures;
  const of = eq(loginFailures.emailHash, emailHash);
  const [found] = await db.select({ lockedUntil }).from(loginFailures).where(of);
  return found;
}

/** Holds while no lock is on: checked with every outcome, so parallel guesses gain nothing. */
export const notLocked = (emailHash: string, now: number) =>
  sql`NOT EXISTS (SELECT 1 FROM login_failures WHERE email_hash = ${emailHash}
    AND locked_until > ${now})`;

export interface LockoutPolicy {
  /** So many failures in a row lock, and every further one that follows a lock. */
  readonly attempts: number;
  /** Milliseconds; each further lock is twice as long, up to the longest. */
  readonly first: number;
  readonly longest: number;
}

/** SQLite shifts 64-bit integers; any time that is doubled so often is longer than the longest. */
const MAX_DOUBLINGS = 20;

export const countFailure = (emailHash: string, now: number, times: LockoutPolicy) =>
  sql`INSERT INTO login_failures (email_hash, failures, last_at) VALUES (${emailHash}, 1, ${now})
    ON CONFLICT (email_hash) DO UPDATE SET failures = failures + 1, last_at = ${now},
      locked_until = CASE WHEN failures + 1 >= ${times.attempts} THEN ${now} + min(${times.longest},
        ${times.first} * (1 << min(failures + 1 - ${times.attempts}, ${MAX_DOUBLINGS}))) END`;

/** What a failure that was just counted is called on record: of parallel ones, one locks. */
export const failureAction = (emailHash: string, now: number, refused: string) =>
  sql`(SELECT CASE WHEN locked_until > ${now} THEN 'user.locked' ELSE ${refused} END
    FROM login_failures WHERE email_hash = ${emailHash})`;

export const forgetFailures = (emailHash: string) =>
  write.delete(loginFailures).where(eq(loginFailures.emailHash, emailHash));
