import { sha256 } from "../../core/lib/digest.ts";
import {
  type ApiError,
  conflict,
  invalid,
  tooManyRequests,
  unauthorized,
} from "../../core/errors/api-error.ts";
import type { UserActor } from "@feature-flags/permissions/permissions";
import { aboutUser } from "../../db/audit.ts";
import type { Guard, Statement } from "../../db/commit.ts";
import { unlock } from "../auth/lockout.ts";
import { findUser } from "../auth/queries.ts";
import { actorOf, invalidCredentials, type Session, startSession } from "../auth/sign-in.ts";
import { verifyMfaToken } from "../auth/jwt.ts";
import type { ManagementDeps } from "../deps.ts";
import { findSettings } from "../settings/queries.ts";
import { mfaDeadline } from "../settings/schema.ts";
import * as queries from "./queries.ts";
import type { MfaRow } from "./queries.ts";
import * as totp from "./totp.ts";

/** Five wrong codes in a row lock for a minute, the next five for two, and so on. */
const ATTEMPTS = 5;
const FIRST_LOCK_MS = 60_000;

/** What must hold, and be written, for a code to count as used. */
interface Acceptance {
  readonly guards: readonly Guard[];
  readonly statements: readonly Statement[];
}

const alreadyOn = conflict("A second factor is on already");
const wrongCode = () => invalid([{ field: "code", message: "is wrong" }]);

/** Whether it is on, and by when it must be. */
export async function status(deps: ManagementDeps, actor: UserActor) {
  const [mfa, recoveryCodesLeft, settings] = await Promise.all([
    queries.findMfa(deps.db, actor.id),
    queries.countRecoveryCodes(deps.db, actor.id),
    findSettings(deps.db),
  ]);
  const enabled = mfa !== undefined && mfa.confirmedAt !== null;
  return { enabled, recoveryCodesLeft, deadline: enabled ? null : mfaDeadline(settings) };
}

/**
 * The second step of a sign-in, with a code of the app or a recovery code.
 * Errors: 401 for a token of the first step that is not valid, 401 for a wrong code, 429 while locked.
 */
export async function verify(
  deps: ManagementDeps,
  input: { readonly mfaToken: string; readonly code: string },
): Promise<Session> {
  const userId = await verifyMfaToken(deps.tokens, input.mfaToken, deps.now());
  if (userId === undefined) throw unauthorized("Sign in again: the first step is over");
  const user = await findUser(deps.db, userId);
  const mfa = await queries.findMfa(deps.db, userId);
  if (user?.status !== "ACTIVE" || !mfa || mfa.confirmedAt === null) throw unauthorized();
  const { guards, statements } = await accept(
    deps,
    actorOf(user),
    mfa,
    input.code,
    invalidCredentials,
  );
  return startSession(deps, user, {
    hasMfa: true,
    guards,
    statements: [...statements, unlock(deps, user.email)],
  });
}

/** A new secret, which asks nobody for anything until it is activated. Errors: 409 when one is on. */
export async function enrol(deps: ManagementDeps, actor: UserActor) {
  const secret = totp.newSecret();
  const sealed = await deps.vault.seal(secret);
  await deps.commit(actor, {
    guards: [{ holds: queries.userHasNoMfa(actor.id), error: alreadyOn }],
    statements: [queries.startEnrolment(actor.id, sealed, deps.now())],
    audit: aboutUser("mfa.enrolled", actor.id),
  });
  return { secret, otpauthUrl: totp.otpauthUrl(secret, actor.email) };
}

/** Turns the second factor on; answers the recovery codes, for the only time. Errors: 400, 409. */
export async function activate(
  deps: ManagementDeps,
  actor: UserActor,
  code: string,
): Promise<readonly string[]> {
  const mfa = await queries.findMfa(deps.db, actor.id);
  if (!mfa) throw conflict("Enrol first");
  if (mfa.confirmedAt !== null) throw alreadyOn;
  const now = deps.now();
  const step = totp.matchedStep(await deps.vault.open(mfa.secret), code, now);
  if (step === undefined) throw wrongCode();
  const codes = totp.newRecoveryCodes();
  await deps.commit(actor, {
    guards: [{ holds: queries.userHasNoMfa(actor.id), error: alreadyOn }],
    statements: [
      queries.confirm(actor.id, step, now),
      ...queries.replaceRecoveryCodes(actor.id, await hashes(codes)),
    ],
    audit: aboutUser("mfa.activated", actor.id),
  });
  return codes;
}

/** Errors: 400 for a wrong code, 409 when there is none to turn off, 429 while locked. */
export async function disable(deps: ManagementDeps, actor: UserActor, code: string): Promise<void> {
  const accepted = await accept(deps, actor, await confirmed(deps, actor.id), code, wrongCode);
  await deps.commit(actor, {
    guards: accepted.guards,
    statements: [...accepted.statements, queries.deleteMfa(actor.id)],
    audit: aboutUser("mfa.disabled", actor.id),
  });
}

/** New recovery codes; the old ones are worthless. Errors as `disable`. */
export async function renewRecoveryCodes(
  deps: ManagementDeps,
  actor: UserActor,
  code: string,
): Promise<readonly string[]> {
  const accepted = await accept(deps, actor, await confirmed(deps, actor.id), code, wrongCode);
  const codes = totp.newRecoveryCodes();
  await deps.commit(actor, {
    guards: accepted.guards,
    statements: [
      ...accepted.statements,
      ...queries.replaceRecoveryCodes(actor.id, await hashes(codes)),
    ],
    audit: aboutUser("mfa.recovery-codes-renewed", actor.id),
  });
  return codes;
}

async function confirmed(deps: ManagementDeps, userId: number): Promise<MfaRow> {
  const mfa = await queries.findMfa(deps.db, userId);
  if (!mfa || mfa.confirmedAt === null) throw conflict("No second factor is on");
  return mfa;
}

/**
 * Judges a code of the app, or a recovery code. What it answers must be part of the commit that the
 * code is for: the guards refuse a code that was used, or a lock that came, in the meantime.
 * Errors: 429 while locked; `refuse()` for a wrong code, which is counted.
 */
async function accept(
  deps: ManagementDeps,
  actor: UserActor,
  mfa: MfaRow,
  code: string,
  refuse: () => ApiError,
): Promise<Acceptance> {
  const { userId } = mfa;
  const now = deps.now();
  const unlocked = { holds: queries.notLocked(userId, now), error: locked(mfa, now) };
  if (mfa.lockedUntil !== null && mfa.lockedUntil > now) throw unlocked.error;
  const typed = totp.normalizeCode(code);
  const step = totp.matchedStep(await deps.vault.open(mfa.secret), typed, now);
  if (step !== undefined && step > mfa.lastStep)
    return {
      guards: [unlocked, { holds: queries.stepIsNew(userId, step), error: refuse() }],
      statements: [queries.acceptStep(userId, step)],
    };
  const hash = await sha256(typed);
  if (await queries.hasRecoveryCode(deps.db, userId, hash))
    return {
      guards: [unlocked, { holds: queries.codeIsUnused(userId, hash), error: refuse() }],
      statements: queries.useRecoveryCode(userId, hash),
    };
  await deps.commit(actor, {
    guards: [unlocked],
    statements: [queries.countFailure(userId, now, { attempts: ATTEMPTS, firstMs: FIRST_LOCK_MS })],
    audit: aboutUser(queries.failureAction(userId), userId),
  });
  throw refuse();
}

const locked = ({ lockedUntil }: MfaRow, now: number): ApiError =>
  tooManyRequests(
    "Too many wrong codes; wait before the next",
    Math.max((lockedUntil ?? 0) - now, FIRST_LOCK_MS),
  );

const hashes = (codes: readonly string[]): Promise<string[]> =>
  Promise.all(codes.map((code) => sha256(totp.normalizeCode(code))));
