import type { UserActor } from "@feature-flags/permissions/permissions";
import type { AuditAction } from "../../core/audit/actions.ts";
import { sha256 } from "../../core/lib/digest.ts";
import {
  type ApiError,
  conflict,
  invalid,
  tooManyRequests,
  unauthorized,
} from "../../core/errors/api-error.ts";
import { aboutUser } from "../../db/audit.ts";
import type { Statement } from "../../db/commit.ts";
import type { Guard } from "../../db/guards.ts";
import { users } from "../../db/schema/people.ts";
import { deviceIdOf, digestOfPassword } from "../../workflows/sign-in/device.ts";
import { verifyDeviceToken, verifyMfaToken } from "../../access/jwt.ts";
import { withCurrentPassword } from "../../workflows/sign-in/current-password.ts";
import { unlock } from "../../workflows/sign-in/lockout.ts";
import { findSignInById } from "../../model/auth/queries.ts";
import {
  invalidCredentials,
  type NewSession,
  startSession,
} from "../../workflows/sign-in/sign-in.ts";
import {
  asUser,
  type Call,
  ownAccount,
  type RequestCall,
  type Visitor,
  type Writing,
} from "../../access/call.ts";
import { unchanged } from "../../model/optimistic-update.ts";
import { findSettings } from "../../model/settings/queries.ts";
import { mfaDeadline } from "../../model/settings/mfa-deadline.ts";
import * as queries from "../../model/mfa/queries.ts";
import type { MfaRow } from "../../model/mfa/queries.ts";
import * as totp from "./totp.ts";

/**
 * Five wrong codes in a row lock the second factor for a minute, the next five for two minutes, and
 * so on, up to 1,024 minutes.
 */
const LOCKOUT: queries.CodeLockout = { attempts: 5, firstMs: 60_000 };

type MfaCall = Call & Pick<RequestCall, "vault" | "tokens" | "hashing">;

/**
 * The guards and statements that mark a code as used. An action that needs a code commits them in
 * the same transaction as its changes.
 */
interface Acceptance {
  readonly guards: readonly Guard[];
  readonly statements: readonly Statement[];
}

const alreadyOn = conflict("Two-factor authentication is already enabled");
const enrolmentChanged = conflict(
  "Another request has changed or locked the second factor; try again",
);
const firstStepVoid = () => unauthorized("The sign-in has expired; sign in again");
const wrongCode = () =>
  invalid([{ field: "code", message: "is not a valid code, or was used before" }]);

/**
 * Returns whether the authenticator app is turned on, and how many recovery codes are left. `deadline`
 * is the time by which the user must turn on a second factor, in epoch milliseconds. It is null if
 * the user has one, which may be a passkey, or none is required.
 */
export async function status(call: Call) {
  const ctx = ownAccount(call, "session:own");
  const [found, recoveryCodesLeft, settings] = await Promise.all([
    findSignInById(ctx.db, ctx.actor.id),
    queries.countRecoveryCodes(ctx.db, ctx.actor.id),
    findSettings(ctx.db),
  ]);
  if (!found) throw unauthorized();
  const { secondFactors } = found;
  const deadline = secondFactors.length > 0 ? null : mfaDeadline(settings);
  return { enabled: secondFactors.includes("totp"), recoveryCodesLeft, deadline };
}

/**
 * Completes a sign-in with a code from the authenticator app, or with a recovery code. Throws: 401 for an
 * invalid MFA token, an MFA token for an old password, a wrong code or an inactive user; 403 after a password
 * if passwords are turned off; 429 while the second factor is locked.
 */
export async function verify(
  ctx: Visitor,
  input: {
    readonly mfaToken: string;
    readonly code: string;
    readonly deviceToken?: string | undefined;
  },
): Promise<NewSession> {
  const claims = await verifyMfaToken(ctx.tokens, input.mfaToken, ctx.now());
  if (!claims) throw firstStepVoid();
  const found = await queries.findUserWithMfa(ctx.db, claims.userId);
  const mfa = found?.mfa;
  if (found?.user.status !== "ACTIVE" || !mfa || mfa.confirmedAt === null) throw unauthorized();
  const { user } = found;
  if (claims.passwordDigest !== (await digestOfPassword(user))) throw firstStepVoid();
  const { guards, statements } = await accept(asUser(ctx, user), mfa, {
    code: input.code,
    wrong: invalidCredentials,
  });
  const device = await verifyDeviceToken(ctx.tokens, input.deviceToken ?? "", ctx.now());
  const deviceId = await deviceIdOf(device, user);
  return startSession(ctx, user, {
    hasMfa: true,
    deviceId,
    via: claims.via,
    guards,
    statements: [...statements, unlock(ctx, { email: user.email, deviceId })],
  });
}

/**
 * Creates a secret for the authenticator app and stores it encrypted. Sign-ins need no code until
 * `activate` turns the second factor on. The current password is required, because a thief with an
 * access token could otherwise enrol a second factor and lock the owner out.
 * Throws: 400 for a wrong current password, 409 if the second factor is already turned on, 429
 * after too many wrong passwords.
 */
export async function enrol(
  call: MfaCall,
  input: { readonly currentPassword?: string | undefined },
) {
  const ctx = ownAccount(call, "session:own");
  const { user } = await account(ctx);
  const secret = totp.newSecret();
  const sealed = await ctx.vault.seal(secret);
  await withCurrentPassword(ctx, { user, currentPassword: input.currentPassword }, (attempt) =>
    ctx.commit({
      guards: [
        ...attempt.guards,
        unchanged(users, user),
        { holds: queries.userHasNoMfa(user.id), error: alreadyOn },
      ],
      statements: [...attempt.statements, queries.startEnrolment(user.id, sealed, ctx.now())],
      audit: aboutUser("mfa.enrolled", user.id),
    }),
  );
  return { secret, otpauthUrl: totp.otpauthUrl(secret, user.email) };
}

/**
 * Turns the second factor on. Returns the recovery codes, which are stored only as hashes. Wrong codes count
 * as in `verify`. Throws: 400 for a wrong code, 409 if `enrol` was not called or the second factor is already
 * on, 429 after too many wrong codes.
 */
export async function activate(
  call: MfaCall,
  { code }: { readonly code: string },
): Promise<readonly string[]> {
  const ctx = ownAccount(call, "session:own");
  const { id } = ctx.actor;
  const mfa = await queries.findMfa(ctx.db, id);
  if (!mfa) throw conflict("Request a secret with POST /api/v1/auth/mfa/enroll first");
  if (mfa.confirmedAt !== null) throw alreadyOn;
  const now = ctx.now();
  const unlocked = assertUnlocked(mfa, now);
  const step = totp.matchedStep(await ctx.vault.open(mfa.secret), totp.normalizeCode(code), now);
  if (step === undefined) return countWrongCode(ctx, { mfa, unlocked, error: wrongCode() });
  const codes = totp.newRecoveryCodes();
  await ctx.commit({
    guards: [{ holds: queries.enrolmentIsOpen(mfa, now), error: enrolmentChanged }],
    statements: [
      queries.confirm(id, step, now),
      ...queries.replaceRecoveryCodes(id, await hashes(codes)),
    ],
    audit: aboutUser("mfa.activated", id),
  });
  return codes;
}

/** The current password and a code: the input of a change that weakens or replaces the factor. */
interface Confirmation {
  readonly currentPassword?: string | undefined;
  readonly code: string;
}

/**
 * Turns the second factor off. Throws: 400 for a wrong current password or a wrong code, 409 if the second
 * factor is not on, 429 after too many wrong passwords or codes.
 */
export async function disable(call: MfaCall, input: Confirmation): Promise<void> {
  const ctx = ownAccount(call, "session:own");
  await withConfirmation(ctx, input, {
    statements: [queries.deleteMfa(ctx.actor.id)],
    action: "mfa.disabled",
  });
}

/**
 * Replaces the recovery codes and returns the new ones. The old recovery codes become invalid.
 * Throws the same errors as `disable`.
 */
export async function renewRecoveryCodes(
  call: MfaCall,
  input: Confirmation,
): Promise<readonly string[]> {
  const ctx = ownAccount(call, "session:own");
  const codes = totp.newRecoveryCodes();
  await withConfirmation(ctx, input, {
    statements: queries.replaceRecoveryCodes(ctx.actor.id, await hashes(codes)),
    action: "mfa.recovery-codes-renewed",
  });
  return codes;
}

/** Checks the current password, then the code, and commits the change. */
async function withConfirmation(
  ctx: Writing<UserActor> & MfaCall,
  { currentPassword, code }: Confirmation,
  change: { readonly statements: readonly Statement[]; readonly action: AuditAction },
): Promise<void> {
  const { user, mfa } = await account(ctx);
  if (!mfa || mfa.confirmedAt === null) throw conflict("Two-factor authentication is not enabled");
  await withCurrentPassword(ctx, { user, currentPassword }, async (attempt) => {
    const accepted = await accept(ctx, mfa, { code, wrong: wrongCode });
    await ctx.commit({
      guards: [...attempt.guards, unchanged(users, user), ...accepted.guards],
      statements: [...attempt.statements, ...accepted.statements, ...change.statements],
      audit: aboutUser(change.action, user.id),
    });
  });
}

/** Returns the signed-in user with the second factor. Throws: 401 if the user has been deleted. */
async function account(ctx: Writing<UserActor>) {
  const found = await queries.findUserWithMfa(ctx.db, ctx.actor.id);
  if (!found) throw unauthorized();
  return found;
}

/**
 * Checks a code from the authenticator app, or a recovery code. The caller must commit the returned
 * guards and statements. A guard fails if a parallel request has used the code or locked the second
 * factor.
 * Throws: 429 while the second factor is locked. After counting a wrong code, throws the error of
 * `wrong()`.
 */
async function accept(
  ctx: Writing<UserActor> & Pick<RequestCall, "vault">,
  mfa: MfaRow,
  { code, wrong }: { readonly code: string; readonly wrong: () => ApiError },
): Promise<Acceptance> {
  const { userId } = mfa;
  const now = ctx.now();
  const unlocked = assertUnlocked(mfa, now);
  const typed = totp.normalizeCode(code);
  const step = totp.matchedStep(await ctx.vault.open(mfa.secret), typed, now);
  if (step !== undefined && step > mfa.lastStep)
    return {
      guards: [unlocked, { holds: queries.stepIsNew(userId, step), error: wrong() }],
      statements: [queries.acceptStep(userId, step)],
    };
  const hash = await sha256(typed);
  if (await queries.hasRecoveryCode(ctx.db, userId, hash))
    return {
      guards: [unlocked, { holds: queries.codeIsUnused(userId, hash), error: wrong() }],
      statements: queries.useRecoveryCode(userId, hash),
    };
  return countWrongCode(ctx, { mfa, unlocked, error: wrong() });
}

/** Returns the guard that fails if the second factor is locked. Throws: 429 if it is locked already. */
function assertUnlocked(mfa: MfaRow, now: number): Guard {
  const error = locked(mfa, now);
  if (mfa.lockedUntil !== null && mfa.lockedUntil > now) throw error;
  return { holds: queries.notLocked(mfa.userId, now), error };
}

/** Counts a wrong code. Throws: `error`, or 429 if a parallel request has locked the factor. */
async function countWrongCode(
  ctx: Writing<UserActor>,
  input: { readonly mfa: MfaRow; readonly unlocked: Guard; readonly error: ApiError },
): Promise<never> {
  const { userId } = input.mfa;
  await ctx.commit({
    guards: [input.unlocked],
    statements: [queries.countFailure(userId, ctx.now(), LOCKOUT)],
    audit: aboutUser(queries.failureAction(userId), userId),
  });
  throw input.error;
}

const locked = ({ lockedUntil }: MfaRow, now: number): ApiError =>
  tooManyRequests(
    "Too many wrong codes; wait before you try again",
    Math.max((lockedUntil ?? 0) - now, LOCKOUT.firstMs),
  );

const hashes = (codes: readonly string[]): Promise<string[]> =>
  Promise.all(codes.map((code) => sha256(totp.normalizeCode(code))));
