import { normalizeEmail } from "../../core/lib/email.ts";
import { conflict, invalid, notFound } from "../../core/errors/api-error.ts";
import type { Role } from "@feature-flags/permissions/permissions";
import { aboutUser, actorName } from "../../db/audit.ts";
import { users, type UserStatus } from "../../db/schema/people.ts";
import { logError } from "../../http/log.ts";
import {
  findUser,
  findUserByEmail,
  findUserWithRoles,
  insertUser,
  userIdByEmail,
  type UserRow,
  type UserWithRoles,
} from "../../model/auth/queries.ts";
import { type Call, type Reading, reads, type RequestCall, writes } from "../../access/call.ts";
import type { ById } from "../../core/lib/input.ts";
import { assertPublicUrl, invitationMail } from "../../mail/mails.ts";
import { deleteMfa, deletePasskeys, userHasSecondFactor } from "../../model/mfa/queries.ts";
import { optimisticUpdate, unchanged } from "../../model/optimistic-update.ts";
import { visibleProject } from "../../access/scope.ts";
import { newMailToken } from "../../workflows/sign-in/mail-token.ts";
import * as queries from "../../model/users/queries.ts";

export interface Invited {
  readonly user: UserRow;
  /** False if the invitation e-mail could not be sent. `reinviteUser` sends a new one. */
  readonly invitationSent: boolean;
}

type MailContext = Pick<RequestCall, "mailer" | "publicUrl" | "request">;

const missing = () => notFound("The user does not exist");
const lastAdministrator = conflict("The last administrator cannot be removed, disabled or demoted");
const lastBreakGlass = conflict(
  "While passwords are turned off, one administrator with breakGlass, a password and a second factor must remain",
);
/** Whether the user has accepted the invitation: with a password, or with an identity provider. */
const hasJoined = (user: UserRow) => user.passwordHash !== null || user.hasIdentity;
const isAdministrator = (user: UserRow) => user.role === "ADMIN" && user.status === "ACTIVE";
const remainsAdministered = (id: number) => ({
  holds: queries.anotherAdministrator(id),
  error: lastAdministrator,
});

/** The guards of a change that takes a user's rights as an administrator or a break-glass user. */
const remaining = (
  user: UserRow,
  lost: { readonly administrator: boolean; readonly breakGlass: boolean },
) => [
  ...(lost.administrator && isAdministrator(user) ? [remainsAdministered(user.id)] : []),
  ...(lost.breakGlass && isAdministrator(user) && user.breakGlass
    ? [{ holds: queries.anotherBreakGlass(user.id), error: lastBreakGlass }]
    : []),
];

export const listUsers = (
  call: Call,
  { search }: { readonly search?: string | undefined },
): Promise<UserWithRoles[]> => queries.listUsers(reads(call, "user:read").db, search);

/** Returns the names of all users, or only of those who own flags of the project `ownersIn`. */
export const listUserNames = (
  call: Call,
  { ownersIn }: { readonly ownersIn?: number | undefined },
) => {
  const { db, actor } = reads(call, "user:read-names");
  return queries.listUserNames(
    db,
    ownersIn === undefined ? undefined : visibleProject(actor, ownersIn),
  );
};

/** Returns the user with this id, with the roles in projects. Throws: 404 for an unknown id. */
export const getUser = (call: Call, { id }: ById): Promise<UserWithRoles> =>
  findWithRoles(reads(call, "user:read"), id);

async function findWithRoles({ db }: Pick<Reading, "db">, id: number): Promise<UserWithRoles> {
  const found = await findUserWithRoles(db, id);
  if (!found) throw missing();
  return found;
}

async function find({ db }: Pick<Reading, "db">, id: number): Promise<UserRow> {
  const user = await findUser(db, id);
  if (!user) throw missing();
  return user;
}

/**
 * Creates a user with the status INVITED and sends the invitation e-mail. Throws: 409 if a user with this
 * e-mail address exists, 402 if the quota of users is used up, 503 if `PUBLIC_URL` is missing.
 */
export async function inviteUser(
  call: Call & MailContext,
  input: { readonly email: string; readonly role: Role; readonly name?: string | undefined },
): Promise<Invited> {
  const ctx = writes(call, "user:write", { projectId: null });
  const publicUrl = assertPublicUrl(ctx);
  const email = normalizeEmail(input.email);
  const { role, name = email.split("@")[0] ?? email } = input;
  const now = ctx.now();
  const { token, row } = await newMailToken("INVITE", now);
  const id = userIdByEmail(email);
  await ctx.commit({
    guards: [{ quota: "USERS", count: queries.countUsers }],
    statements: [
      insertUser({ email, name, role, status: "INVITED", createdAt: now }),
      queries.insertToken(id, row),
    ],
    audit: aboutUser("user.invited", id, { after: { email, name, role } }),
    onDuplicate: conflict("A user with this e-mail address exists"),
  });
  const user = await findUserByEmail(ctx.db, email);
  if (!user) throw missing();
  return { user, invitationSent: await sendInvitation(ctx, email, { publicUrl, token }) };
}

/**
 * Sends a new invitation e-mail. The link in the earlier e-mail becomes invalid. A user who was
 * disabled before accepting the invitation becomes INVITED again.
 * Throws: 404 for an unknown id, 409 if the user has accepted an invitation before, 503 if
 * `PUBLIC_URL` is missing.
 */
export async function reinviteUser(call: Call & MailContext, { id }: ById): Promise<Invited> {
  const ctx = writes(call, "user:write", { projectId: null });
  const publicUrl = assertPublicUrl(ctx);
  const { token, row } = await newMailToken("INVITE", ctx.now());
  const user = await optimisticUpdate({
    read: () => find(ctx, id),
    write: async (found) => {
      if (hasJoined(found))
        throw conflict("The user has accepted the invitation and needs no new one");
      const isDisabled = found.status !== "INVITED";
      const status = "INVITED";
      await ctx.commit({
        guards: [unchanged(users, found)],
        statements: [
          ...(isDisabled ? [queries.updateUser(id, { status })] : []),
          queries.deleteTokens(id, "INVITE"),
          queries.insertToken(id, row),
        ],
        audit: aboutUser("user.invited", id, {
          ...(isDisabled && { before: { status: found.status }, after: { status } }),
        }),
      });
      return { ...found, status } as const;
    },
  });
  return { user, invitationSent: await sendInvitation(ctx, user.email, { publicUrl, token }) };
}

/**
 * Changes a user. A new role or status ends all sessions of the user. Without `breakGlass`,
 * a user loses what began with a password if passwords are turned off. Disabling a user also ends the
 * access of the user's agents.
 * Throws: 404 for an unknown id; 400 for `breakGlass` without the role ADMIN; 409 if no active
 * administrator would be left, or no break-glass administrator while passwords are turned off, or if
 * `input` activates a user who has not accepted the invitation; 412 if `ifMatch` does not contain the
 * user's version.
 */
export async function updateUser(
  call: Call,
  input: {
    readonly id: number;
    readonly name?: string | undefined;
    readonly role?: Role | undefined;
    readonly status?: Exclude<UserStatus, "INVITED"> | undefined;
    readonly breakGlass?: boolean | undefined;
    readonly ifMatch?: readonly number[] | undefined;
  },
): Promise<UserWithRoles> {
  const { id, ifMatch } = input;
  const ctx = writes(call, "user:write", { projectId: null });
  await optimisticUpdate({
    ifMatch,
    read: () => find(ctx, id),
    write: async (user) => {
      const { name = user.name, role = user.role, status = user.status } = input;
      if (status === "ACTIVE" && !hasJoined(user))
        throw conflict(
          "The user has not accepted the invitation yet; send it again with POST /api/v1/users/{id}/invite",
        );
      if (input.breakGlass === true && role !== "ADMIN")
        throw invalid([{ field: "breakGlass", message: "can be true only for an administrator" }]);
      const breakGlass = role === "ADMIN" && (input.breakGlass ?? user.breakGlass);
      const stepsDown = role !== "ADMIN" || status !== "ACTIVE";
      const losesPassword = user.breakGlass && !breakGlass;
      const endsSessions = role !== user.role || status !== user.status;
      await ctx.commit({
        guards: [
          unchanged(users, user),
          ...remaining(user, { administrator: stepsDown, breakGlass: stepsDown || !breakGlass }),
        ],
        statements: [
          queries.updateUser(id, { name, role, status, breakGlass }),
          ...(endsSessions ? queries.endSessions(id) : []),
          ...(losesPassword ? queries.endLocalAccess(queries.ifPasswordsAreOff(id)) : []),
          ...(status === "DISABLED" ? queries.endAgents(id, ctx.now()) : []),
        ],
        audit: aboutUser("user.updated", id, {
          before: {
            name: user.name,
            role: user.role,
            status: user.status,
            breakGlass: user.breakGlass,
          },
          after: { name, role, status, breakGlass },
        }),
      });
    },
  });
  return findWithRoles(ctx, id);
}

/**
 * Deletes a user and ends the user's sessions. Throws: 404 for an unknown id, 409 if this is the
 * last active administrator, or the last break-glass administrator while passwords are turned off.
 */
export async function deleteUser(call: Call, { id }: ById): Promise<void> {
  const ctx = writes(call, "user:write", { projectId: null });
  await optimisticUpdate({
    read: () => find(ctx, id),
    write: async (user) => {
      const { email, name, role, status } = user;
      await ctx.commit({
        guards: [
          unchanged(users, user),
          ...remaining(user, { administrator: true, breakGlass: true }),
        ],
        statements: [queries.deleteUser(id)],
        audit: aboutUser("user.deleted", id, { before: { email, name, role, status } }),
      });
    },
  });
}

/**
 * Removes the second factors of a user, also the passkeys, for example after the loss of the device, and ends
 * the user's sessions and the access of the user's agents. Throws: 404 if the user does not exist or has no
 * second factor; 409 for the last break-glass administrator while passwords are turned off.
 */
export async function resetMfa(call: Call, { id }: ById): Promise<void> {
  const ctx = writes(call, "user:write", { projectId: null });
  const user = await find(ctx, id);
  const noMfa = notFound("The user has no second factor");
  await ctx.commit({
    guards: [
      { holds: userHasSecondFactor(id), error: noMfa },
      ...remaining(user, { administrator: false, breakGlass: true }),
    ],
    statements: [
      deleteMfa(id),
      deletePasskeys(id),
      ...queries.endSessions(id),
      ...queries.endAgents(id, ctx.now()),
    ],
    audit: aboutUser("mfa.reset", id),
  });
}

/** Sends an invitation e-mail. Returns false and logs the fault if the e-mail could not be sent. */
async function sendInvitation(
  ctx: MailContext & Pick<Call, "actor">,
  email: string,
  { publicUrl, token }: { readonly publicUrl: string; readonly token: string },
): Promise<boolean> {
  const { traceId } = ctx.request;
  try {
    await ctx.mailer.send(
      invitationMail(email, actorName(ctx.actor), { publicUrl, token }),
      traceId,
    );
    return true;
  } catch (error) {
    const what = "The invitation could not be sent";
    logError("WARN", "app.mail", { traceId, what, error, secrets: [token] });
    return false;
  }
}
