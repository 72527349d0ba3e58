import { type Actor, allows } from "@feature-flags/permissions/permissions";
import type { ReadDb } from "../../db/database.ts";
import { actorName } from "../../db/audit.ts";
import { findUser } from "../../model/auth/queries.ts";
import { type Call, ownAccount, reads } from "../../access/call.ts";
import { notify } from "../../mail/notify.ts";
import type { TokenRow } from "../../model/tokens/queries.ts";

/** The user whose tokens or agents a request names; by default the signed-in user. */
export interface OfUser {
  readonly userId?: number | undefined;
}

/**
 * Returns the user whose tokens or agents a list shows, and the database to read them from. Throws: 403
 * for another user, unless the caller is an administrator.
 */
export function listedUser(
  call: Call,
  { userId }: OfUser,
): { readonly db: ReadDb; readonly userId: number } {
  const { db, actor } = ownAccount(call, "token:own");
  if (userId === undefined || userId === actor.id) return { db, userId: actor.id };
  return { db: reads(call, "user:read").db, userId };
}

/** Whether an actor may end what a user has given to a program: the user, or an administrator. */
export const mayEnd = (
  actor: Actor & { readonly id: number },
  userId: TokenRow["userId"],
): boolean => userId === actor.id || (userId !== null && allows(actor, "user:write"));

/** The owner's id for the audit record when another user revokes a token. */
export const ownerIfOther = (
  actor: { readonly id: number },
  { userId }: Pick<TokenRow, "userId">,
) => (userId === actor.id || userId === null ? {} : { userId });

/** Tells a user by e-mail that somebody else has ended what the user had given to a program. */
export function tellOwner(
  call: Call,
  { userId, name }: Pick<TokenRow, "userId" | "name">,
  what: "token" | "agent",
): void {
  const { actor, db } = ownAccount(call, "token:own");
  if (userId === null || userId === actor.id) return;
  notify(
    call,
    async () => {
      const user = await findUser(db, userId);
      return user?.status === "ACTIVE" ? [user] : [];
    },
    {
      subject: `Your ${what} was revoked: ${name}`,
      what: `${actorName(actor)} has revoked your ${what} ${name}, which cannot call the service any more.`,
      path: "/profile/tokens",
      more: "Ask them why before you replace it.",
    },
  );
}
