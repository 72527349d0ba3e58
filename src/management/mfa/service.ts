import { sha256 } from "../../core/lib/digest.ts";
import {
  type ApiError,
  conflict,
  invalid,
  tooManyRequests,
  unauthorized,
} from "../../core/errors/api-error.ts";
import { aboutUser } from "../../db/audit.ts";
import type { Guard, Statement } from "../../db/commit.ts";
import { verifyMfaToken } from "../auth/jwt.ts";
import { unlock } from "../auth/lockout.ts";
import { findUser } from "../auth/queries.ts";
import { actorOf, invalidCredentials, type Session, startSession } from "../auth/sign-in.ts";
import { actAs, type ManagementContext, type PublicContext, type UserContext } from "../context.ts";
import { findSettings } from "../settings/queries.ts";
import { mfaDeadline } from "../settings/schema.ts";
import * as queries from "./queries.ts";
import type { MfaRow } from "./queries.ts";
import * as totp from "./totp.ts";

/**
 * Five wrong codes in a row lock the second factor for a minute, the next five for two minutes, and
 * so on, up to 1,024 minutes.
 */
const LOCKOUT: queries.CodeLockout = { attempts: 5, firstMs: 60_000 };

type MfaContext = UserContext & Pick<ManagementContext, "vault">;

/**
 * The guards and statements that mark a code as used. The commit of the action that the code
 * permits must contain them.
 */
interface Acceptance {
  readonly guards: readonly Guard[];
  readonly statements: readonly Statement[];
}

const alreadyOn = conflict("Two-factor authentication is already enabled");
const wrongCode = () =>
  invalid([{ field: "code", message: "is not a valid code, or was used before" }]);

/**
 * Returns whether the second factor is turned on, and how many recovery codes are left. `deadline`
 * is the time by which a second factor must be turned on, in epoch milliseconds; null if it is on
 * or not required.
 */
export async function status(ctx: UserContext) {
  const [mfa, recoveryCodesLeft, settings] = await Promise.all([
    queries.findMfa(ctx.db, ctx.actor.id),
    queries.countRecoveryCodes(ctx.db, ctx.actor.id),
    findSettings(ctx.db),
  ]);
  const enabled = mfa !== undefined && mfa.confirmedAt !== null;
  return { enabled, recoveryCodesLeft, deadline: enabled ? null : mfaDeadline(settings) };
}

/**
 * Completes a sign-in with a code from the authenticator app, or with a recovery code.
 * Throws: 401 for an invalid MFA token, a wrong code or an inactive user, 429 while the second
 * factor is locked.
 */
export async function verify(
  ctx: PublicContext,
  input: { readonly mfaToken: string; readonly code: string },
): Promise<Session> {
  const userId = await verifyMfaToken(ctx.tokens, input.mfaToken, ctx.now());
  if (userId === undefined) throw unauthorized("The sign-in has expired; sign in again");
  const user = await findUser(ctx.db, userId);
  const mfa = await queries.findMfa(ctx.db, userId);
  if (user?.status !== "ACTIVE" || !mfa || mfa.confirmedAt === null) throw unauthorized();
  const { guards, statements } = await accept(actAs(ctx, actorOf(user)), mfa, {
    code: input.code,
    wrong: invalidCredentials,
  });
  return startSession(ctx, user, {
    hasMfa: true,
    guards,
    statements: [...statements, unlock(ctx, user.email)],
  });
}

/**
 * Creates a secret for the authenticator app and stores it encrypted. Sign-ins need no code until
 * `activate` turns the second factor on. Throws: 409 if it is already turned on.
 */
export async function enrol(ctx: MfaContext) {
  const { actor } = ctx;
  const secret = totp.newSecret();
  const sealed = await ctx.vault.seal(secret);
  await ctx.commit({
    guards: [{ holds: queries.userHasNoMfa(actor.id), error: alreadyOn }],
    statements: [queries.startEnrolment(actor.id, sealed, ctx.now())],
    audit: aboutUser("mfa.enrolled", actor.id),
  });
  return { secret, otpauthUrl: totp.otpauthUrl(secret, actor.email) };
}

/**
 * Turns the second factor on. Returns the recovery codes, which are stored only as hashes.
 * Throws: 400 for a wrong code, 409 if `enrol` was not called or the second factor is already on.
 */
export async function activate(
  ctx: MfaContext,
  { code }: { readonly code: string },
): Promise<readonly string[]> {
  const { id } = ctx.actor;
  const mfa = await queries.findMfa(ctx.db, id);
  if (!mfa) throw conflict("Request a secret with POST /api/v1/auth/mfa/enroll first");
  if (mfa.confirmedAt !== null) throw alreadyOn;
  const now = ctx.now();
  const step = totp.matchedStep(await ctx.vault.open(mfa.secret), code, now);
  if (step === undefined) throw wrongCode();
  const codes = totp.newRecoveryCodes();
  await ctx.commit({
    guards: [{ holds: queries.userHasNoMfa(id), error: alreadyOn }],
    statements: [
      queries.confirm(id, step, now),
      ...queries.replaceRecoveryCodes(id, await hashes(codes)),
    ],
    audit: aboutUser("mfa.activated", id),
  });
  return codes;
}

/**
 * Turns the second factor off.
 * Throws: 400 for a wrong code, 409 if the second factor is not on, 429 while the second factor is
 * locked.
 */
export async function disable(ctx: MfaContext, { code }: { readonly code: string }): Promise<void> {
  const { id } = ctx.actor;
  const accepted = await accept(ctx, await confirmed(ctx), { code, wrong: wrongCode });
  await ctx.commit({
    guards: accepted.guards,
    statements: [...accepted.statements, queries.deleteMfa(id)],
    audit: aboutUser("mfa.disabled", id),
  });
}

/**
 * Replaces the recovery codes and returns the new ones. The old recovery codes become invalid.
 * Throws the same errors as `disable`.
 */
export async function renewRecoveryCodes(
  ctx: MfaContext,
  { code }: { readonly code: string },
): Promise<readonly string[]> {
  const { id } = ctx.actor;
  const accepted = await accept(ctx, await confirmed(ctx), { code, wrong: wrongCode });
  const codes = totp.newRecoveryCodes();
  await ctx.commit({
    guards: accepted.guards,
    statements: [...accepted.statements, ...queries.replaceRecoveryCodes(id, await hashes(codes))],
    audit: aboutUser("mfa.recovery-codes-renewed", id),
  });
  return codes;
}

async function confirmed(ctx: UserContext): Promise<MfaRow> {
  const mfa = await queries.findMfa(ctx.db, ctx.actor.id);
  if (!mfa || mfa.confirmedAt === null) throw conflict("Two-factor authentication is not enabled");
  return mfa;
}

/**
 * Checks a code from the authenticator app, or a recovery code. The caller must commit the returned
 * guards and statements: a guard fails if a parallel request used the code or locked the factor.
 * Throws: 429 while the factor is locked; the error of `wrong()` after counting a wrong code.
 */
async function accept(
  ctx: MfaContext,
  mfa: MfaRow,
  { code, wrong }: { readonly code: string; readonly wrong: () => ApiError },
): Promise<Acceptance> {
  const { userId } = mfa;
  const now = ctx.now();
  const unlocked = { holds: queries.notLocked(userId, now), error: locked(mfa, now) };
  if (mfa.lockedUntil !== null && mfa.lockedUntil > now) throw unlocked.error;
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
  await ctx.commit({
    guards: [unlocked],
    statements: [queries.countFailure(userId, now, LOCKOUT)],
    audit: aboutUser(queries.failureAction(userId), userId),
  });
  throw wrong();
}

const locked = ({ lockedUntil }: MfaRow, now: number): ApiError =>
  tooManyRequests(
    "Too many wrong codes; wait before you try again",
    Math.max((lockedUntil ?? 0) - now, LOCKOUT.firstMs),
  );

const hashes = (codes: readonly string[]): Promise<string[]> =>
  Promise.all(codes.map((code) => sha256(totp.normalizeCode(code))));
