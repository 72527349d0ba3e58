import { createHmac } from "node:crypto";
import { DAY_MS } from "../../core/lib/time.ts";
import { type ApiError, tooManyRequests } from "../../core/errors/api-error.ts";
import type { Actor } from "@feature-flags/permissions/permissions";
import { aboutUser } from "../../db/audit.ts";
import type { Guard, Statement } from "../../db/commit.ts";
import type { ManagementDeps } from "../deps.ts";
import * as queries from "./lockout-queries.ts";
import { userIdByEmail } from "./queries.ts";

/** Decisions 4.7: ten wrong passwords in a row lock for a minute, each further one for twice as long. */
const POLICY: queries.LockoutPolicy = { attempts: 10, firstMs: 60_000, longestMs: DAY_MS };

/** A password that may be tried. What comes of it is committed with the guards, or is worth nothing. */
export interface Attempt {
  readonly guards: readonly [Guard];
  /** What a right password writes: the failures before it are forgotten. */
  readonly statements: readonly Statement[];
  /** Counts a wrong one; `action`: how it is recorded, unless it is one too many. */
  readonly fail: (actor: Actor, action: string) => Promise<void>;
}

/**
 * Lets `judge` try a password for the address, unless there was a lock before or there is one by the
 * time it commits; a lock is not extended, and says nothing of the password. All the same whether or
 * not the address is a user's. Errors: 429, before `judge`, or in the place of what it answers.
 */
export async function attempt<T>(
  deps: ManagementDeps,
  email: string,
  judge: (attempt: Attempt) => Promise<T>,
): Promise<T> {
  const emailHash = hashOf(deps, email);
  const assertUnlocked = async () => {
    const found = await queries.findLock(deps.db, emailHash);
    const waitMs = (found?.lockedUntil ?? 0) - deps.now();
    if (waitMs > 0) throw locked(waitMs);
    return found;
  };
  const failedBefore = (await assertUnlocked()) !== undefined;
  const now = deps.now();
  const meanwhile = locked(POLICY.firstMs);
  const guards = [{ holds: queries.notLocked(emailHash, now), error: meanwhile }] as const;
  try {
    return await judge({
      guards,
      statements: failedBefore ? [queries.forgetFailures(emailHash)] : [],
      fail: async (actor, action) => {
        await deps.commit(actor, {
          guards,
          statements: [queries.countFailure(emailHash, now, POLICY)],
          audit: aboutUser(queries.failureAction(emailHash, now, action), userIdByEmail(email)),
        });
      },
    });
  } catch (error) {
    // How long the lock is that came meanwhile, only the database knows.
    if (error === meanwhile) await assertUnlocked();
    throw error;
  }
}

/** Ends a lock: for whoever has proved in another way to be the owner of the address. */
export const unlock = (deps: ManagementDeps, email: string): Statement =>
  queries.forgetFailures(hashOf(deps, email));

const locked = (waitMs: number): ApiError =>
  tooManyRequests("Too many wrong passwords; wait before the next", waitMs);

/**
 * People also type passwords where the address belongs: without the secret, nobody can find out which.
 * With a new secret every lock is over.
 */
const hashOf = ({ tokens: { secrets } }: ManagementDeps, email: string): string =>
  createHmac("sha256", secrets[0]).update(`login failures of ${email}`).digest("base64url");
