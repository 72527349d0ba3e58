import { createHmac } from "node:crypto";
import { DAY_MS } from "../../core/lib/time.ts";
import { type ApiError, tooManyRequests } from "../../core/errors/api-error.ts";
import { aboutUser } from "../../db/audit.ts";
import type { Guard, Statement } from "../../db/commit.ts";
import type { PublicContext, WriteContext } from "../context.ts";
import * as queries from "./lockout-queries.ts";
import { userIdByEmail } from "./queries.ts";

/**
 * Ten wrong passwords in a row lock for a minute; each further one doubles the time
 * (docs/decisions.md, 4.7).
 */
const POLICY: queries.LockoutPolicy = { attempts: 10, firstMs: 60_000, longestMs: DAY_MS };

/** The part of a context that account lockout needs. */
type LockoutContext = Pick<PublicContext, "db" | "now" | "tokens">;

/** A password attempt for an address that is not locked. */
export interface PasswordAttempt {
  /** Part of every commit of the attempt: the address must still be unlocked. */
  readonly guards: readonly [Guard];
  /** Part of the commit if the password is right: they reset the number of failures. */
  readonly statements: readonly Statement[];
  /** Counts a wrong password. Audited as `action`, or as `user.locked` if it locks the address. */
  readonly fail: (ctx: WriteContext, action: string) => Promise<void>;
}

/**
 * Calls `check` with a password attempt, unless the address is locked. Behaves the same for known
 * and unknown addresses. While the address is locked, passwords are not checked and the lock does
 * not grow.
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
    // A parallel attempt locked the address. Reads how long the lock really lasts.
    if (error === lockedMeanwhile) await assertUnlocked();
    throw error;
  }
}

/** Ends a lock. For users who have proved in another way that they own the address. */
export const unlock = (ctx: LockoutContext, email: string): Statement =>
  queries.forgetFailures(hashOf(ctx, email));

const locked = (waitMs: number): ApiError =>
  tooManyRequests("Too many wrong passwords; wait before you try again", waitMs);

/**
 * Keyed hash, because users sometimes type a password into the e-mail field: a plain hash of it
 * could be guessed. Rotating the secret changes the hashes, which ends all locks.
 */
const hashOf = ({ tokens: { secrets } }: LockoutContext, email: string): string =>
  createHmac("sha256", secrets[0]).update(`login failures of ${email}`).digest("base64url");
