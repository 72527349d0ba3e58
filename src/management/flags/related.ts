import { allows } from "@feature-flags/permissions/permissions";
import { authorized, type Call } from "../context.ts";
import { type FlagRow, tagsOf } from "./queries.ts";
import { linkedFlags, namesOfUsers } from "./related-queries.ts";

export type Related = Awaited<ReturnType<typeof relatedOf>>;

/** Returns the tags of a flag, the flags to which it refers or that refer to it, and its owners. */
export async function relatedOf(call: Call, flag: FlagRow) {
  const { db, actor } = authorized(call, "flag:read", { projectId: flag.projectId });
  const [tags, flags, owners] = await Promise.all([
    tagsOf(db, [flag.id]),
    linkedFlags(db, flag),
    allows(actor, "user:read-names") ? namesOfUsers(db, flag.ownerIds) : [],
  ]);
  return { tags, flags, owners };
}
