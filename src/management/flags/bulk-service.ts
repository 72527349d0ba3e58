import { type Call, reads } from "../../access/call.ts";
import {
  bulkOperations,
  type BulkOperations,
  type BulkResult,
  type BulkTarget,
  executeBulk,
} from "../../changes/bulk.ts";
import { visibleProject } from "../../access/scope.ts";
import type { FlagClients } from "../../core/flags/variants.ts";
import type { TagInput } from "../../model/flags/attached-tags.ts";

type BulkAction =
  | { readonly action: "archive" | "unarchive" }
  | { readonly action: "tag" | "untag"; readonly tag: TagInput }
  | { readonly action: "clients"; readonly clients: FlagClients };

type BulkChange = BulkAction & {
  readonly projectId: number;
  readonly flags: readonly BulkTarget[];
};

/**
 * Archives, unarchives, tags or untags flags of a project, or changes which clients get them, in one
 * transaction. Throws: 404 for a flag or a tag that the project does not have, 402 if the quota of
 * tags is used up, 409 if a flag that is not archived would require an archived flag, or if a flag
 * has too many tags, 412 for a flag with another version than the request demands. The error names
 * the flags.
 */
export const changeFlags = async (call: Call, change: BulkChange): Promise<BulkResult> =>
  executeBulk(call, changingFlags(call, change));

/** Returns the operations of a bulk change of flags. Throws: 403, as `changeFlags`. */
export function changingFlags(call: Call, change: BulkChange): BulkOperations {
  const { actor } = reads(call, "flag:write");
  const projectId = visibleProject(actor, change.projectId);
  return bulkOperations(projectId, change.flags, (flagId) => {
    const target = { flagId };
    if (change.action === "clients")
      return { kind: "flag.update", target, input: { clients: change.clients } };
    return "tag" in change
      ? { kind: `flag.${change.action}`, target, input: change.tag }
      : { kind: `flag.${change.action}`, target, input: undefined };
  });
}
