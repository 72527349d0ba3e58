import { allows } from "@feature-flags/permissions/permissions";
import { type Call, reads } from "../../access/call.ts";
import { managersOf } from "../../model/flags/managed-queries.ts";
import { type FlagRow, tagsOf } from "../../model/flags/queries.ts";
import { linkedFlags, namesOfUsers } from "../../model/flags/related-queries.ts";

export type Related = Awaited<ReturnType<typeof relatedOf>>;

/**
 * Returns the tags of a flag, the flags to which it refers or that refer to it, its owners, and the files
 * that manage its fields.
 */
export async function relatedOf(call: Call, flag: FlagRow) {
  const { db, actor } = reads(call, "flag:read", { projectId: flag.projectId });
  const [tags, flags, owners, managedBy] = await Promise.all([
    tagsOf(db, [flag.id]),
    linkedFlags(db, flag),
    allows(actor, "user:read-names") ? namesOfUsers(db, flag.ownerIds) : [],
    managersOf(db, flag),
  ]);
  return { tags, flags, owners, managedBy };
}
