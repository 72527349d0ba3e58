import type { LocalMethod } from "../../db/schema/people.ts";
import { asUser, type Visitor } from "../../access/call.ts";
import { notify } from "../../mail/notify.ts";
import { findAdministratorEmails, type UserRow } from "../../model/auth/queries.ts";

/**
 * Tells all administrators that somebody has signed in with a password or a passkey while passwords are off.
 */
export function mailBreakGlass(ctx: Visitor, user: UserRow, method: LocalMethod): void {
  const { ip = "an unknown address" } = ctx.request;
  notify(asUser(ctx, user), () => findAdministratorEmails(ctx.db), {
    subject: `${user.email} has signed in with a ${method}`,
    what: `Passwords are turned off, and ${user.email} has signed in with a ${method}, from ${ip}:`,
    path: "/audit?category=security",
    more: "If you did not expect this, disable the account and end its sessions.",
  });
}
