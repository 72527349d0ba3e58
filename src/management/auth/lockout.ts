import { createHmac } from "node:crypto";
import { DAY_MS } from "../../core/lib/time.ts";
import { type ApiError, tooManyRequests } from "../../core/errors/api-error.ts";
import { aboutUser } from "../../db/audit.ts";
import type { Guard, Statement } from "../../db/commit.ts";
import type { PublicContext, WriteContext } from "../context.ts";
import * as queries from "./lockout-queries.ts";
import { userIdByEmail } from "./queries.ts";

/**
 * Ten wrong passwords in a row lock an address for a minute. Each further wrong password doubles
 * the time, up to a day (docs/decisions.md, 4.7).
 */
const POLICY: queries.LockoutPolicy = { attempts: 10, firstMs: 60_000, longestMs: DAY_MS };

/** The dependencies of the account lockout. */
type LockoutContext = Pick<PublicContext, "db" | "now" | "tokens">;

/** A password attempt for an address that is not locked. */
export interface PasswordAttempt {
  /**
   * Every commit of the attempt must contain these guards: they pass while the address is unlocked.
   */
  readonly guards: readonly [Guard];
  /**
   * The commit after a right password must contain these statements: they reset the number of
   * failures.
   */
  readonly statements: readonly Statement[];
  /**
   * Counts a wrong password. The audit action is `action`, or `user.locked` if the failure locks
   * the address.
   */
  readonly fail: (ctx: WriteContext, action: string) => Promise<void>;
}

/**
 * Calls `check` with a password attempt, unless the address is locked. It does the same work for
 * known and unknown addresses. While an address is locked, no password is checked and the lock is
 * not extended.
 * Throws: 429 if the address is locked before `check`, or when `check` commits.
 */
export async function attemptPassword<T>(
  ctx: LockoutContext,
  email: string,
  check: (attempt: PasswordAttempt) => Promise<T>,
): Promise<T> {
  const emailHash = hashOf(ctx, email);
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
          audit: aboutUser(queries.failureAction(emailHash, now, action), userIdByEmail(email)),
        });
      },
    });
  } catch (error) {
    // A parallel attempt has locked the address. Read the lock again to return its real length.
    if (error === lockedMeanwhile) await assertUnlocked();
    throw error;
  }
}

/**
 * Returns a statement that ends the lock of an address. Call it only for users who have proved in
 * another way that they own the address.
 */
export const unlock = (ctx: LockoutContext, email: string): Statement =>
  queries.forgetFailures(hashOf(ctx, email));

const locked = (waitMs: number): ApiError =>
  tooManyRequests("Too many wrong passwords; wait before you try again", waitMs);

/**
 * Returns a keyed hash of the address. Users sometimes type a password into the e-mail field, and a
 * plain hash of it could be guessed. Rotating the secret changes the hashes, which ends all locks.
 */
const hashOf = ({ tokens: { secrets } }: LockoutContext, email: string): string =>
  createHmac("sha256", secrets[0]).update(`login failures of ${email}`).digest("base64url");
