import { notFound } from "../../core/errors/api-error.ts";
import { similar } from "../../core/lib/similar.ts";
import { type Call, reads } from "../../access/call.ts";
import { findFlagByKey, type FlagWithTags, keysOf } from "../../model/flags/queries.ts";

/** In how many keys of a project similar ones are searched, and how many of them an error names. */
const MAX_SEARCHED = 5000;
const MAX_SIMILAR = 3;

/**
 * Returns the flag of a project with a key. Throws: 404 for an unknown key, with similar keys of flags
 * that are not archived; 404 for a project that is hidden from the actor.
 */
export async function getFlagByKey(
  call: Call,
  { projectId, key }: { readonly projectId: number; readonly key: string },
): Promise<FlagWithTags> {
  const { db } = reads(call, "flag:read", { projectId });
  const flag = await findFlagByKey(db, projectId, key);
  if (flag) return flag;
  const keys = similar(key, await keysOf(db, projectId, MAX_SEARCHED), MAX_SIMILAR);
  const hint = keys.length === 0 ? "" : ` Similar keys: ${keys.join(", ")}.`;
  throw notFound(`No flag has the key ${key}.${hint}`);
}
