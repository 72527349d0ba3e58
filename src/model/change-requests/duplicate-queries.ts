import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Actor } from "@feature-flags/permissions/permissions";
import type { ReadDb } from "../../db/database.ts";
import { changeRequests as requests } from "../../db/schema/change-requests.ts";

/** What two equal change requests have in common. */
interface Proposal {
  readonly projectId: number;
  readonly hash: string;
  readonly author: Actor;
}

/** The condition for the open requests that an actor has opened with the operations of a hash. */
const isSame = ({ projectId, hash, author }: Proposal): SQL | undefined =>
  and(
    eq(requests.projectId, projectId),
    eq(requests.state, "open"),
    eq(requests.hash, hash),
    eq(requests.authorKind, author.kind),
    eq(requests.authorId, author.kind === "system" ? 0 : author.id),
  );

/** Returns the id of the newest such request; undefined if there is none. */
export async function findSame(db: ReadDb, proposal: Proposal): Promise<number | undefined> {
  const rows = await db
    .select({ id: requests.id })
    .from(requests)
    .where(isSame(proposal))
    .orderBy(sql`${requests.id} DESC`)
    .limit(1);
  return rows[0]?.id;
}

/** Guard: fails if there is such a request. */
export const hasNoSame = (proposal: Proposal): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${requests} WHERE ${isSame(proposal)})`;
