import { sha256 } from "../../core/lib/digest.ts";
import { normalizeEmail } from "../../core/lib/email.ts";
import { invalid, unauthorized } from "../../core/errors/api-error.ts";
import type { UserActor } from "@feature-flags/permissions/permissions";
import { aboutUser } from "../../db/audit.ts";
import { type TokenPurpose, users } from "../../db/schema/people.ts";
import { logError } from "../../http/log.ts";
import type { ManagementDeps } from "../deps.ts";
import { resetMail } from "../mail.ts";
import { optimisticUpdate, unchanged } from "../optimistic-update.ts";
import {
  deleteTokens,
  findTokenUser,
  insertToken,
  tokenIsValid,
  updateUser,
} from "../users/queries.ts";
import { revokeSessions } from "../users/revoke-sessions.ts";
import { newMailToken } from "../users/mail-token.ts";
import { type Attempt, attempt, unlock } from "./lockout.ts";
import { hashPassword, passwordError, verifyPassword } from "./password.ts";
import { findUser, findUserByEmail, type UserRow } from "./queries.ts";
import { actorOf, type Session, startSession } from "./sign-in.ts";

const uselessLink = () => unauthorized("The link is not valid, was used, or has expired");

/** Errors: 401 when the user is gone. */
export async function me(deps: ManagementDeps, actor: UserActor): Promise<UserRow> {
  const user = await findUser(deps.db, actor.id);
  if (!user) throw unauthorized();
  return user;
}

export interface ProfileChange {
  readonly name?: string | undefined;
  readonly locale?: string | undefined;
  readonly avatar?: string | null | undefined;
  readonly password?: string | undefined;
  /** Needed for a new password. */
  readonly currentPassword?: string | undefined;
}

/** A new password ends the user's other sessions. Errors: 400, 412, 429 after many wrong passwords. */
export async function updateMe(
  deps: ManagementDeps,
  actor: UserActor,
  input: ProfileChange,
  ifMatch: readonly number[] | undefined,
): Promise<UserRow> {
  const read = () => me(deps, actor);
  const { password, currentPassword } = input;
  const save = async (
    user: UserRow,
    passwordHash?: string,
    tried?: Pick<Attempt, "guards" | "statements">,
  ) => {
    const { name = user.name, locale = user.locale, avatar = user.avatar } = input;
    const ends = passwordHash === undefined ? undefined : user.id;
    await revokeSessions(deps, ends, actor.sessionId, (endStatements) =>
      deps.commit(actor, {
        guards: [...(tried?.guards ?? []), unchanged(users, user)],
        statements: [
          updateUser(user.id, { name, locale, avatar, ...(passwordHash && { passwordHash }) }),
          ...(tried?.statements ?? []),
          ...endStatements,
        ],
        audit: aboutUser(passwordHash ? "user.password-changed" : "user.updated", user.id, {
          before: { name: user.name, locale: user.locale },
          after: { name, locale },
        }),
      }),
    );
  };
  await optimisticUpdate({
    ifMatch,
    read,
    write: async (user) => {
      if (password === undefined) return save(user);
      assertAcceptable(password, user.email);
      if (currentPassword === undefined) throw wrongCurrent();
      return attempt(deps, user.email, async (tried) => {
        if (!(await verifyPassword(currentPassword, user.passwordHash))) {
          await tried.fail(actor, "user.password-refused");
          throw wrongCurrent();
        }
        await save(user, await hashPassword(password), tried);
      });
    },
  });
  return read();
}

/** Answers nothing at all: what happens, happens after the answer (decisions 3.7). */
export function forgotPassword(deps: ManagementDeps, email: string): void {
  deps.later(sendReset(deps, normalizeEmail(email)));
}

/** Joins an invited user, and signs in. Errors: 401 for a useless token, 400 for a weak password. */
export async function acceptInvitation(
  deps: ManagementDeps,
  input: { readonly token: string; readonly name?: string | undefined; readonly password: string },
): Promise<Session> {
  const user = await setPassword(deps, "INVITE", "user.joined", input);
  return startSession(deps, user, { hasMfa: false });
}

/** Ends every session of the user. Errors: 401 for a useless token, 400 for a weak password. */
export function resetPassword(
  deps: ManagementDeps,
  input: { readonly token: string; readonly password: string },
): Promise<UserRow> {
  return setPassword(deps, "RESET", "user.password-reset", input);
}

async function setPassword(
  deps: ManagementDeps,
  purpose: TokenPurpose,
  action: string,
  input: { readonly token: string; readonly name?: string | undefined; readonly password: string },
): Promise<UserRow> {
  const hash = await sha256(input.token);
  const now = deps.now();
  const user = await findTokenUser(deps.db, hash, purpose, now);
  const status = purpose === "INVITE" ? "INVITED" : "ACTIVE";
  if (user?.status !== status) throw uselessLink();
  assertAcceptable(input.password, user.email);
  const passwordHash = await hashPassword(input.password);
  const name = input.name ?? user.name;
  await revokeSessions(deps, user.id, undefined, (endStatements) =>
    deps.commit(actorOf(user), {
      // The token in the guard makes it single-use; two at once cannot both hold.
      guards: [
        { holds: tokenIsValid(hash, purpose, now), error: uselessLink() },
        { ...unchanged(users, user), error: uselessLink() },
      ],
      statements: [
        deleteTokens(user.id, purpose),
        updateUser(user.id, { passwordHash, name, status: "ACTIVE" }),
        unlock(deps, user.email),
        ...endStatements,
      ],
      audit: aboutUser(action, user.id),
    }),
  );
  return { ...user, name, status: "ACTIVE", passwordHash, version: user.version + 1 };
}

async function sendReset(deps: ManagementDeps, email: string): Promise<void> {
  const user = await findUserByEmail(deps.db, email);
  if (user?.status !== "ACTIVE") return;
  const { token, row } = await newMailToken("RESET", deps.now());
  await deps.commit(actorOf(user), {
    statements: [deleteTokens(user.id, "RESET"), insertToken(user.id, row)],
    audit: aboutUser("user.password-reset-requested", user.id),
  });
  const { traceId } = deps.request;
  await deps.mailer
    .send(resetMail(email, deps.publicUrl, token), traceId)
    .catch((error: unknown) => {
      const what = "The reset mail could not be sent";
      logError("WARN", "app.mail", { traceId, what, error, secrets: [token] });
    });
}

function assertAcceptable(password: string, email: string): void {
  const fault = passwordError(password, email);
  if (fault !== undefined) throw invalid([{ field: "password", message: fault }]);
}

const wrongCurrent = () => invalid([{ field: "currentPassword", message: "is missing or wrong" }]);
