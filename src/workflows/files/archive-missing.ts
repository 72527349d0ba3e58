import { pathOf } from "@feature-flags/file/diff";
import type { FlagsFile } from "@feature-flags/file/file";
import type { Warning } from "@feature-flags/file/plan";
import { own } from "@feature-flags/file/resolve";
import { ApiError } from "../../core/errors/api-error.ts";
import type { ManagedRow } from "../../model/files/ownership-queries.ts";
import type { FlagOfFile, ProjectContent } from "../../model/files/queries.ts";

export interface Pruning {
  /** Whether to archive the flags of the manager that the file lacks. */
  readonly prune: boolean;
  /** The most flags that may be archived. Undefined: `MAX_PRUNED`, and `MAX_SHARE` of all. */
  readonly pruneLimit?: number | undefined;
}

/** The most flags that a file archives without a higher limit, and the most of its flags. */
const MAX_PRUNED = 10;
const MAX_SHARE = 0.2;

/** The field of a managed row whose flag the file has archived. It is no field of a file. */
export const ARCHIVED = "archived";

interface Known {
  readonly content: ProjectContent;
  /** The rows of the manager. */
  readonly mine: readonly ManagedRow[];
  /** The rows of other managers. */
  readonly others: readonly ManagedRow[];
  readonly pruning: Pruning;
}

/**
 * Returns the flags that a file archives, and those that it had archived and names again. Throws: 400
 * for more archived flags than allowed.
 */
export function pruned(
  file: FlagsFile,
  { content, mine, others, pruning: { prune, pruneLimit } }: Known,
): {
  readonly archived: readonly FlagOfFile[];
  readonly restored: readonly FlagOfFile[];
  readonly warnings: readonly Warning[];
} {
  const rows = new Map(mine.flatMap((row) => (row.kind === "flag" ? [[row.entityId, row]] : [])));
  const managed = content.flags.filter(({ id, archived }) => rows.has(id) && !archived);
  const gone = managed.filter(({ key }) => !own(file.flags, key));
  // What another file owns a part of is not this file's to archive.
  const shared = new Set(
    others.flatMap(({ kind, entityId, fields }) =>
      (kind === "flag" || kind === "strategy") && Object.keys(fields).length > 0 ? entityId : [],
    ),
  );
  const missing = gone.filter(({ id }) => !shared.has(id));
  const limit = pruneLimit ?? Math.min(MAX_PRUNED, Math.floor(managed.length * MAX_SHARE));
  if (prune && missing.length > limit)
    throw new ApiError(
      "BAD_REQUEST",
      `The file lacks ${missing.length} of the ${managed.length} flags that it manages, and may archive ` +
        `${limit} of them; set pruneLimit to ${missing.length} if this is intended`,
    );
  const named = content.flags.filter(({ key, archived }) => archived && own(file.flags, key));
  const isRestored = (id: number) => rows.get(id)?.fields[ARCHIVED] !== undefined;
  const restored = named.filter(({ id }) => isRestored(id));
  return {
    archived: prune ? missing : [],
    restored,
    warnings: [
      ...gone
        .filter(({ id }) => shared.has(id))
        .map(({ key }) => ({ path: pathOf({ kind: "flag", key }), message: SHARED })),
      ...(prune
        ? []
        : missing.map(({ key }) => ({ path: pathOf({ kind: "flag", key }), message: KEPT }))),
      ...named
        .filter(({ id }) => !isRestored(id))
        .map(({ key }) => ({ path: pathOf({ kind: "flag", key }), message: STAYS })),
    ],
  };
}

const KEPT = "is not in the file any more. It stays as it is, and stays managed; prune archives it";
const SHARED = "is not in the file any more. It stays, because another manager owns a part of it";
const STAYS = "was archived elsewhere. It stays archived; unarchive it, or remove it from the file";
