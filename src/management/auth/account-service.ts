import type { UserActor, Role } from "@feature-flags/permissions/permissions";
import type { AuditAction } from "../../core/audit/actions.ts";
import { changedFields } from "../../core/audit/changed-fields.ts";
import { sha256 } from "../../core/lib/digest.ts";
import { normalizeEmail } from "../../core/lib/email.ts";
import { HOUR_MS, MINUTE_MS } from "../../core/lib/time.ts";
import { invalid, tooManyRequests, unauthorized } from "../../core/errors/api-error.ts";
import { aboutUser } from "../../db/audit.ts";
import { type TokenPurpose, users } from "../../db/schema/people.ts";
import { logError } from "../../http/log.ts";
import {
  asUser,
  type Call,
  ownAccount,
  type RequestCall,
  type Visitor,
  type Writing,
} from "../../access/call.ts";
import { assertPublicUrl, resetMail } from "../../mail/mails.ts";
import { optimisticUpdate, unchanged } from "../../model/optimistic-update.ts";
import { newMailToken } from "../../workflows/sign-in/mail-token.ts";
import {
  endSessions,
  deleteTokens,
  findInvitation,
  findTokenUser,
  insertToken,
  mayGetLink,
  tokenIsValid,
  updateUser,
} from "../../model/users/queries.ts";
import { newDeviceToken } from "../../workflows/sign-in/device.ts";
import { confirmedUntil, withCurrentPassword } from "../../workflows/sign-in/current-password.ts";
import { type PasswordAttempt, unlock } from "../../workflows/sign-in/lockout.ts";
import { hashPassword, passwordError } from "../../access/password.ts";
import { assertPasswordAllowed, mayUsePassword } from "../../workflows/sign-in/password-sign-in.ts";
import {
  findSignIn,
  findUserInSession,
  type UserRow,
  type UserWithRoles,
} from "../../model/auth/queries.ts";
import { type NewSession, startSession } from "../../workflows/sign-in/sign-in.ts";

const uselessLink = () => unauthorized("The link is not valid, was used, or has expired");

/** The signed-in user, with what the user needs to confirm a change of the account. */
export interface OwnAccount extends UserWithRoles {
  /**
   * Until when a confirmation by an identity provider replaces the password, in epoch milliseconds;
   * null without one.
   */
  readonly confirmedUntil: number | null;
}

/** Returns the signed-in user. Throws: 401 if the user has been deleted. */
export const me = (call: Call): Promise<OwnAccount> => accountOf(ownAccount(call, "session:own"));

async function accountOf({ db, actor, now }: Writing<UserActor>): Promise<OwnAccount> {
  const { id, sessionId, projectRoles } = actor;
  const found = await findUserInSession(db, id, sessionId);
  if (!found) throw unauthorized();
  const { user, confirmedAt } = found;
  return { user, projectRoles, confirmedUntil: confirmedUntil(confirmedAt, now()) };
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

/**
 * Changes the signed-in user's profile or password. A new password ends the user's other sessions.
 * Throws: 400 if the current password is wrong or missing, or if the new password is not allowed;
 * 412 if `ifMatch` does not contain the user's version; 429 after too many wrong passwords.
 */
export async function updateMe(
  call: Call & Pick<RequestCall, "tokens" | "hashing">,
  input: ProfileChange,
): Promise<OwnAccount> {
  const ctx = ownAccount(call, "session:own");
  const { password, currentPassword, ifMatch } = input;
  const read = async () => (await accountOf(ctx)).user;
  await optimisticUpdate({
    ifMatch,
    read,
    write: async (user) => {
      if (password === undefined) return saveProfile(ctx, user, input);
      assertAllowed(password, user.email);
      return withCurrentPassword(ctx, { user, currentPassword }, async (attempt) => {
        const passwordHash = await newHash(ctx, user.id, password);
        await savePassword(ctx, user, { profile: input, passwordHash, attempt });
      });
    },
  });
  return accountOf(ctx);
}

async function saveProfile(
  ctx: Writing<UserActor>,
  user: UserRow,
  profile: Profile,
): Promise<void> {
  const { changes, audited } = profileChange(user, profile);
  await ctx.commit({
    guards: [unchanged(users, user)],
    statements: [updateUser(user.id, changes)],
    audit: aboutUser("user.updated", user.id, audited),
  });
}

async function savePassword(
  ctx: Writing<UserActor>,
  user: UserRow,
  input: {
    readonly profile: Profile;
    readonly passwordHash: string;
    readonly attempt: PasswordAttempt;
  },
): Promise<void> {
  const { passwordHash, attempt } = input;
  const { changes, audited } = profileChange(user, input.profile);
  await ctx.commit({
    guards: [...attempt.guards, unchanged(users, user)],
    statements: [
      updateUser(user.id, { ...changes, passwordHash }),
      ...endSessions(user.id, ctx.actor.sessionId),
      ...attempt.statements,
    ],
    audit: aboutUser("user.password-changed", user.id, changedFields(audited)),
  });
}

/**
 * Returns the columns to write to the user's row. Also returns these columns before and after the
 * change, for the audit record.
 */
function profileChange(user: UserRow, profile: Profile) {
  const { name = user.name, locale = user.locale, avatar = user.avatar } = profile;
  const before = { name: user.name, locale: user.locale, avatar: user.avatar };
  const changes = { name, locale, avatar };
  return { changes, audited: { before, after: changes } };
}

/**
 * Sends a link to reset the password if an active user has the e-mail address. The response does
 * not wait for this work, so neither the response nor its time reveals whether the user exists.
 * Throws: 503 if `PUBLIC_URL` is missing, whether or not the user exists.
 */
export function forgotPassword(ctx: Visitor, { email }: { readonly email: string }): void {
  const publicUrl = assertPublicUrl(ctx);
  ctx.later(sendReset({ ...ctx, publicUrl }, normalizeEmail(email)));
}

/** The data that the dashboard page for the link of an invitation or password reset e-mail sends. */
interface LinkInput {
  readonly token: string;
  readonly name?: string | undefined;
  readonly password: string;
}

interface Invitation {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly invitedBy: string | null;
}

/** Returns the invitation of a link. Throws: 401 for an invalid link. */
export async function readInvitation(
  ctx: Visitor,
  { token }: { readonly token: string },
): Promise<Invitation> {
  const found = await findInvitation(ctx.db, await sha256(token), ctx.now());
  if (!found) throw uselessLink();
  return found;
}

/**
 * Activates an invited user and signs the user in. Throws: 401 for an invalid link, 400 for a password that
 * is not allowed, 403 if passwords are turned off.
 */
export async function acceptInvitation(ctx: Visitor, input: LinkInput): Promise<NewSession> {
  const user = await setPassword(ctx, input, { purpose: "INVITE", action: "user.joined" });
  return startSession(ctx, user, { hasMfa: false });
}

/**
 * Sets a new password and ends all sessions of the user. Returns the user with a device token, so that
 * strangers cannot lock the account before the user signs in with the new password. Throws: 401 for an
 * invalid link, 400 for a password that is not allowed, 403 if passwords are turned off.
 */
export async function resetPassword(
  ctx: Visitor,
  input: Omit<LinkInput, "name">,
): Promise<{ readonly user: UserRow; readonly deviceToken: string }> {
  const how = { purpose: "RESET", action: "user.password-reset" } as const;
  const user = await setPassword(ctx, input, how);
  return { user, deviceToken: await newDeviceToken(ctx, user) };
}

async function setPassword(
  ctx: Visitor,
  input: LinkInput,
  { purpose, action }: { readonly purpose: TokenPurpose; readonly action: AuditAction },
): Promise<UserRow> {
  const hash = await sha256(input.token);
  const now = ctx.now();
  const found = await findTokenUser(ctx.db, hash, purpose, now);
  const status = purpose === "INVITE" ? "INVITED" : "ACTIVE";
  if (found?.user.status !== status) throw uselessLink();
  const { user, passwordSignIn } = found;
  assertPasswordAllowed(ctx, user, passwordSignIn);
  assertAllowed(input.password, user.email);
  const passwordHash = await newHash(ctx, user.id, input.password);
  const name = input.name ?? user.name;
  await asUser(ctx, user).commit({
    // Fails if the link's token was used before, because the transaction that uses a token deletes
    // it.
    guards: [
      { holds: tokenIsValid(hash, purpose, now), error: uselessLink() },
      { ...unchanged(users, user), error: uselessLink() },
    ],
    statements: [
      deleteTokens(user.id, purpose),
      updateUser(user.id, { passwordHash, name, status: "ACTIVE" }),
      ...endSessions(user.id),
      unlock(ctx, user),
    ],
    audit: aboutUser(action, user.id),
  });
  return { ...user, name, status: "ACTIVE", passwordHash, version: user.version + 1 };
}

const newHash = (
  ctx: Pick<Visitor, "hashing">,
  userId: number,
  password: string,
): Promise<string> => ctx.hashing(userId, (derive) => hashPassword(derive, password));

/**
 * How many password reset links a user gets: one a minute and five an hour. So a stranger cannot flood the
 * mailbox. A link lasts for an hour, so up to five links work at a time. A new link does not end the previous
 * links, so a stranger who requests links does not keep the user from using one.
 */
const RESETS = { pauseMs: MINUTE_MS, most: 5, periodMs: HOUR_MS };

async function sendReset(
  ctx: Visitor & { readonly publicUrl: string },
  email: string,
): Promise<void> {
  const found = await findSignIn(ctx.db, email);
  if (found?.user.status !== "ACTIVE") return;
  const { user, passwordSignIn } = found;
  if (!mayUsePassword(ctx, user, passwordSignIn)) return;
  const now = ctx.now();
  const { token, row } = await newMailToken("RESET", now);
  const tooMany = tooManyRequests("Too many e-mails; wait a minute", RESETS.pauseMs);
  try {
    await asUser(ctx, user).commit({
      guards: [{ holds: mayGetLink(user.id, "RESET", { ...RESETS, now }), error: tooMany }],
      statements: [insertToken(user.id, row)],
      audit: aboutUser("user.password-reset-requested", user.id),
    });
  } catch (error) {
    // Ignores the error: the response was sent before, and must not reveal that the user exists.
    if (error === tooMany) return;
    throw error;
  }
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
