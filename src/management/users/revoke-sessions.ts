import type { Change } from "../../db/commit.ts";
import type { ManagementContext } from "../context.ts";
import { deleteSessions, listSessionIds } from "./queries.ts";

/** What a verb that ends sessions needs besides its `WriteContext`. */
export type SessionEnder = Pick<ManagementContext, "families" | "later">;

/**
 * Commits the change and ends the user's sessions, except the session `except`. The same
 * transaction deletes the session rows, without which no refresh succeeds. Afterwards it revokes
 * the families.
 */
export async function commitAndRevokeSessions(
  ctx: Pick<ManagementContext, "db" | "commit"> & SessionEnder,
  { userId, except }: { readonly userId: number; readonly except?: string | undefined },
  change: Change,
): Promise<void> {
  const familyIds = (await listSessionIds(ctx.db, userId)).filter((id) => id !== except);
  const statements = [deleteSessions(userId, except), ...change.statements];
  await ctx.commit({ ...change, statements });
  const revoked = Promise.all(familyIds.map((id) => ctx.families.revoke(id)));
  // The change is committed, so an error here does not fail the request. `later` logs it.
  await revoked.catch(() => ctx.later(revoked));
}
