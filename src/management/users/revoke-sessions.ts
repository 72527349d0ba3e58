import type { Change } from "../../db/commit.ts";
import type { ManagementContext } from "../context.ts";
import { deleteSessions, listSessionIds } from "./queries.ts";

/** The dependencies of functions that end a user's sessions. */
export type SessionEnder = Pick<ManagementContext, "families" | "later">;

/**
 * Commits a change and ends the user's sessions, except the session `except`. The transaction also
 * deletes the rows of these sessions, without which no refresh succeeds. Their refresh families are
 * revoked afterwards.
 * Throws: whatever `commit` throws.
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
  // The change is already committed, so a fault of a refresh family does not fail the request.
  // `later` logs the fault.
  await revoked.catch(() => ctx.later(revoked));
}
