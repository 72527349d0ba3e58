import { sha256 } from "../../core/lib/digest.ts";
import { normalizeEmail } from "../../core/lib/email.ts";
import { invalid, unauthorized } from "../../core/errors/api-error.ts";
import { aboutUser } from "../../db/audit.ts";
import { type TokenPurpose, users } from "../../db/schema/people.ts";
import { logError } from "../../http/log.ts";
import { actAs, type ManagementContext, type PublicContext, type UserContext } from "../context.ts";
import { resetMail } from "../mail.ts";
import { optimisticUpdate, unchanged } from "../optimistic-update.ts";
import { newMailToken } from "../users/mail-token.ts";
import {
  deleteTokens,
  findTokenUser,
  insertToken,
  tokenIsValid,
  updateUser,
} from "../users/queries.ts";
import { commitAndRevokeSessions, type SessionEnder } from "../users/revoke-sessions.ts";
import { attemptPassword, type PasswordAttempt, unlock } from "./lockout.ts";
import { hashPassword, passwordError, verifyPassword } from "./password.ts";
import { findUser, findUserByEmail, type UserRow } from "./queries.ts";
import { actorOf, type Session, startSession } from "./sign-in.ts";

const uselessLink = () => unauthorized("The link is not valid, was used, or has expired");
const wrongCurrent = () => invalid([{ field: "currentPassword", message: "is missing or wrong" }]);

/** Returns the row of the signed-in user. Throws: 401 if the user has been deleted. */
export async function me(ctx: UserContext): Promise<UserRow> {
  const user = await findUser(ctx.db, ctx.actor.id);
  if (!user) throw unauthorized();
  return user;
}

interface Profile {
  readonly name?: string | undefined;
  readonly locale?: string | undefined;
  readonly avatar?: string | null | undefined;
}

interface ProfileChange extends Profile {
  readonly password?: string | undefined;
  /** The user's current password. Required when `password` is given. */
  readonly currentPassword?: string | undefined;
  readonly ifMatch?: readonly number[] | undefined;
}

type AccountContext = UserContext & SessionEnder & Pick<ManagementContext, "tokens">;

/**
 * Changes the signed-in user's profile or password. A new password ends the user's other sessions.
 * Throws: 400 for a wrong or missing current password or a new password that is not allowed, 412 if
 * `ifMatch` does not contain the user's version, 429 after too many wrong passwords.
 */
export async function updateMe(ctx: AccountContext, input: ProfileChange): Promise<UserRow> {
  const { password, currentPassword, ifMatch } = input;
  const read = () => me(ctx);
  await optimisticUpdate({
    ifMatch,
    read,
    write: async (user) => {
      if (password === undefined) return saveProfile(ctx, user, input);
      assertAllowed(password, user.email);
      if (currentPassword === undefined) throw wrongCurrent();
      return attemptPassword(ctx, user.email, async (attempt) => {
        if (!(await verifyPassword(currentPassword, user.passwordHash))) {
          await attempt.fail(ctx, "user.password-refused");
          throw wrongCurrent();
        }
        const passwordHash = await hashPassword(password);
        await savePassword(ctx, user, { profile: input, passwordHash, attempt });
      });
    },
  });
  return read();
}

async function saveProfile(ctx: AccountContext, user: UserRow, profile: Profile): Promise<void> {
  const { changes, audited } = profileChange(user, profile);
  await ctx.commit({
    guards: [unchanged(users, user)],
    statements: [updateUser(user.id, changes)],
    audit: aboutUser("user.updated", user.id, audited),
  });
}

async function savePassword(
  ctx: AccountContext,
  user: UserRow,
  input: {
    readonly profile: Profile;
    readonly passwordHash: string;
    readonly attempt: PasswordAttempt;
  },
): Promise<void> {
  const { passwordHash, attempt } = input;
  const { changes, audited } = profileChange(user, input.profile);
  await commitAndRevokeSessions(
    ctx,
    { userId: user.id, except: ctx.actor.sessionId },
    {
      guards: [...attempt.guards, unchanged(users, user)],
      statements: [updateUser(user.id, { ...changes, passwordHash }), ...attempt.statements],
      audit: aboutUser("user.password-changed", user.id, audited),
    },
  );
}

/**
 * Returns the user's columns to write, and the name and locale before and after the change for the
 * audit record.
 */
function profileChange(user: UserRow, profile: Profile) {
  const { name = user.name, locale = user.locale, avatar = user.avatar } = profile;
  const before = { name: user.name, locale: user.locale };
  return { changes: { name, locale, avatar }, audited: { before, after: { name, locale } } };
}

/**
 * Sends a link to reset the password if an active user has the e-mail address. The response does
 * not wait for this work, so neither the response nor its time reveals whether the user exists.
 */
export function forgotPassword(ctx: PublicContext, { email }: { readonly email: string }): void {
  ctx.later(sendReset(ctx, normalizeEmail(email)));
}

/** What the page behind the link of an invitation or password reset e-mail sends. */
interface LinkInput {
  readonly token: string;
  readonly name?: string | undefined;
  readonly password: string;
}

/**
 * Activates an invited user and signs the user in.
 * Throws: 401 for an invalid link, 400 for a password that is not allowed.
 */
export async function acceptInvitation(ctx: PublicContext, input: LinkInput): Promise<Session> {
  const user = await setPassword(ctx, input, { purpose: "INVITE", action: "user.joined" });
  return startSession(ctx, user, { hasMfa: false });
}

/**
 * Sets a new password and ends all sessions of the user.
 * Throws: 401 for an invalid link, 400 for a password that is not allowed.
 */
export function resetPassword(
  ctx: PublicContext,
  input: Omit<LinkInput, "name">,
): Promise<UserRow> {
  return setPassword(ctx, input, { purpose: "RESET", action: "user.password-reset" });
}

async function setPassword(
  ctx: PublicContext,
  input: LinkInput,
  { purpose, action }: { readonly purpose: TokenPurpose; readonly action: string },
): Promise<UserRow> {
  const hash = await sha256(input.token);
  const now = ctx.now();
  const user = await findTokenUser(ctx.db, hash, purpose, now);
  const status = purpose === "INVITE" ? "INVITED" : "ACTIVE";
  if (user?.status !== status) throw uselessLink();
  assertAllowed(input.password, user.email);
  const passwordHash = await hashPassword(input.password);
  const name = input.name ?? user.name;
  await commitAndRevokeSessions(
    actAs(ctx, actorOf(user)),
    { userId: user.id },
    {
      // The first guard fails if the link's token was used before, because the transaction that
      // uses a token deletes it.
      guards: [
        { holds: tokenIsValid(hash, purpose, now), error: uselessLink() },
        { ...unchanged(users, user), error: uselessLink() },
      ],
      statements: [
        deleteTokens(user.id, purpose),
        updateUser(user.id, { passwordHash, name, status: "ACTIVE" }),
        unlock(ctx, user.email),
      ],
      audit: aboutUser(action, user.id),
    },
  );
  return { ...user, name, status: "ACTIVE", passwordHash, version: user.version + 1 };
}

async function sendReset(ctx: PublicContext, email: string): Promise<void> {
  const user = await findUserByEmail(ctx.db, email);
  if (user?.status !== "ACTIVE") return;
  const { token, row } = await newMailToken("RESET", ctx.now());
  await actAs(ctx, actorOf(user)).commit({
    statements: [deleteTokens(user.id, "RESET"), insertToken(user.id, row)],
    audit: aboutUser("user.password-reset-requested", user.id),
  });
  const { traceId } = ctx.request;
  await ctx.mailer.send(resetMail(email, ctx.publicUrl, token), traceId).catch((error: unknown) => {
    const what = "The password reset e-mail could not be sent";
    logError("WARN", "app.mail", { traceId, what, error, secrets: [token] });
  });
}

function assertAllowed(password: string, email: string): void {
  const message = passwordError(password, email);
  if (message !== undefined) throw invalid([{ field: "password", message }]);
}
