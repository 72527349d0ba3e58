import type { Statement } from "../../db/commit.ts";
import type { ManagementDeps } from "../deps.ts";
import { deleteSessions, listSessionIds } from "./queries.ts";

/**
 * Commits with every session of the user ended, except one. The rows go with the commit, which alone
 * makes their refresh tokens worthless; the families are told afterwards. Without a user, a plain commit.
 */
export async function revokeSessions<T>(
  deps: ManagementDeps,
  userId: number | undefined,
  except: string | undefined,
  commit: (statements: readonly Statement[]) => Promise<T>,
): Promise<T> {
  if (userId === undefined) return commit([]);
  const families = (await listSessionIds(deps.db, userId)).filter((id) => id !== except);
  const result = await commit([deleteSessions(userId, except)]);
  const told = Promise.all(families.map((id) => deps.families.revoke(id)));
  // What is committed is not taken back because an object does not answer: it is for the log alone.
  await told.catch(() => deps.later(told));
  return result;
}
