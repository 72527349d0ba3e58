import { normalizeEmail } from "../../core/lib/email.ts";
import { conflict, notFound } from "../../core/errors/api-error.ts";
import type { Actor, Role } from "@feature-flags/permissions/permissions";
import { aboutUser } from "../../db/audit.ts";
import { users, type UserStatus } from "../../db/schema/people.ts";
import { logError } from "../../http/log.ts";
import {
  findUser,
  findUserByEmail,
  insertUser,
  userIdByEmail,
  type UserRow,
} from "../auth/queries.ts";
import type { ManagementDeps } from "../deps.ts";
import { invitationMail } from "../mail.ts";
import { deleteMfa, userHasMfa } from "../mfa/queries.ts";
import { optimisticUpdate, unchanged } from "../optimistic-update.ts";
import * as queries from "./queries.ts";
import { revokeSessions } from "./revoke-sessions.ts";
import { newMailToken } from "./mail-token.ts";

export interface Invited {
  readonly user: UserRow;
  /** False: the mail could not be sent, and can be sent again. */
  readonly invitationSent: boolean;
}

const missing = () => notFound("The user");
const lastAdministrator = conflict("The last administrator cannot be removed, disabled or demoted");
const isAdministrator = (user: UserRow) => user.role === "ADMIN" && user.status === "ACTIVE";

export const listUsers = (deps: ManagementDeps): Promise<UserRow[]> => queries.listUsers(deps.db);

/** Errors: 404. */
export async function getUser(deps: ManagementDeps, id: number): Promise<UserRow> {
  const user = await findUser(deps.db, id);
  if (!user) throw missing();
  return user;
}

/** Errors: 409 for a known address, 402 over the quota. */
export async function inviteUser(
  deps: ManagementDeps,
  actor: Actor,
  input: { readonly email: string; readonly role: Role; readonly name?: string | undefined },
): Promise<Invited> {
  const email = normalizeEmail(input.email);
  const { role, name = email.split("@")[0] ?? email } = input;
  const now = deps.now();
  const { token, row } = await newMailToken("INVITE", now);
  const id = userIdByEmail(email);
  await deps.commit(actor, {
    guards: [{ quota: "USERS", count: queries.countUsers }],
    statements: [
      insertUser({ email, name, role, status: "INVITED", createdAt: now }),
      queries.insertToken(id, row),
    ],
    audit: aboutUser("user.invited", id, { after: { email, name, role } }),
    onDuplicate: conflict("A user with this e-mail address exists"),
  });
  const user = await findUserByEmail(deps.db, email);
  if (!user) throw missing();
  return { user, invitationSent: await sendInvitation(deps, email, token) };
}

/** Sends the invitation again; the earlier link is worthless then. Errors: 404, 409 once accepted. */
export async function reinviteUser(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
): Promise<Invited> {
  const { token, row } = await newMailToken("INVITE", deps.now());
  const user = await optimisticUpdate({
    read: () => getUser(deps, id),
    write: async (found) => {
      if (found.status !== "INVITED") throw conflict("The user has accepted an invitation");
      await deps.commit(actor, {
        guards: [unchanged(users, found)],
        statements: [queries.deleteTokens(id, "INVITE"), queries.insertToken(id, row)],
        audit: aboutUser("user.invited", id),
      });
      return found;
    },
  });
  return { user, invitationSent: await sendInvitation(deps, user.email, token) };
}

/** A new role or status ends every session of the user. Errors: 404, 409, 412. */
export async function updateUser(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
  input: {
    readonly name?: string | undefined;
    readonly role?: Role | undefined;
    readonly status?: Exclude<UserStatus, "INVITED"> | undefined;
  },
  ifMatch: readonly number[] | undefined,
): Promise<UserRow> {
  const read = () => getUser(deps, id);
  await optimisticUpdate({
    ifMatch,
    read,
    write: async (user) => {
      const { name = user.name, role = user.role, status = user.status } = input;
      if (status === "ACTIVE" && user.passwordHash === null)
        throw conflict("The user has not accepted the invitation yet");
      const steppedDown = isAdministrator(user) && (role !== "ADMIN" || status !== "ACTIVE");
      const ends = role !== user.role || status !== user.status;
      await revokeSessions(deps, ends ? id : undefined, undefined, (endStatements) =>
        deps.commit(actor, {
          guards: [
            unchanged(users, user),
            ...(steppedDown
              ? [{ holds: queries.anotherAdministrator(id), error: lastAdministrator }]
              : []),
          ],
          statements: [queries.updateUser(id, { name, role, status }), ...endStatements],
          audit: aboutUser("user.updated", id, {
            before: { name: user.name, role: user.role, status: user.status },
            after: { name, role, status },
          }),
        }),
      );
    },
  });
  return read();
}

/** Errors: 404, 409 for the last administrator. */
export async function deleteUser(deps: ManagementDeps, actor: Actor, id: number): Promise<void> {
  await optimisticUpdate({
    read: () => getUser(deps, id),
    write: async (user) => {
      await revokeSessions(deps, id, undefined, (endStatements) =>
        deps.commit(actor, {
          guards: [
            unchanged(users, user),
            ...(isAdministrator(user)
              ? [{ holds: queries.anotherAdministrator(id), error: lastAdministrator }]
              : []),
          ],
          statements: [...endStatements, queries.deleteUser(id)],
          audit: aboutUser("user.deleted", id, {
            before: { email: user.email, name: user.name, role: user.role, status: user.status },
          }),
        }),
      );
    },
  });
}

/** For a user who lost the device. Errors: 404 when there is no such user, or no second factor. */
export async function resetMfa(deps: ManagementDeps, actor: Actor, id: number): Promise<void> {
  await getUser(deps, id);
  const none = notFound("The second factor of the user");
  await revokeSessions(deps, id, undefined, (endStatements) =>
    deps.commit(actor, {
      guards: [{ holds: userHasMfa(id), error: none }],
      statements: [deleteMfa(id), ...endStatements],
      audit: aboutUser("mfa.reset", id),
    }),
  );
}

async function sendInvitation(
  deps: ManagementDeps,
  email: string,
  token: string,
): Promise<boolean> {
  const { traceId } = deps.request;
  try {
    await deps.mailer.send(invitationMail(email, deps.publicUrl, token), traceId);
    return true;
  } catch (error) {
    const what = "The invitation could not be sent";
    logError("WARN", "app.mail", { traceId, what, error, secrets: [token] });
    return false;
  }
}
