import { notFound } from "../../core/errors/api-error.ts";
import type { Revision } from "../../db/commit.ts";
import { type Call, reads } from "../../access/call.ts";
import type { ById, ByIdIfMatch } from "../../core/lib/input.ts";
import { execute, type Executed } from "../../changes/execute.ts";
import type { CloneInput, Operation, OperationOf } from "../../changes/plan/operation.ts";
import { writtenRow } from "../../changes/written-row.ts";
import { inScope } from "../../access/scope.ts";
import type { FlagChange, NewFlag } from "../../model/flags/content.ts";
import { findFlag, type FlagRow, type FlagWithTags } from "../../model/flags/queries.ts";

/**
 * The result of a write to a flag: the flag, and the new revisions of the environments whose rules changed.
 */
export interface Written {
  readonly flag: FlagRow;
  readonly revisions: readonly Revision[];
}

/** Returns a flag. Throws: 404 for an unknown id, 403 for an API key of another project. */
export async function getFlag(call: Call, { id }: ById): Promise<FlagWithTags> {
  const ctx = reads(call, "flag:read");
  return inScope(ctx, await findFlag(ctx.db, id), notFound("The flag does not exist"));
}

/**
 * Creates a flag. Throws: 400 for values or prerequisites that are not allowed; 404 for an unknown
 * project, tag or owner, 409 if the key is in use, 402 if the quota of flags or tags is used up or
 * the rules of an environment would become too large.
 */
export async function createFlag(
  call: Call,
  { projectId, ...input }: NewFlag & { readonly projectId: number },
): Promise<Written> {
  return written(
    await execute(call, [{ kind: "flag.create", target: { projectId }, input }]),
    ({ key }) => key === input.key,
  );
}

/**
 * Creates a flag with the content of a source flag of the same project: its description, types, variants,
 * tags, owners, prerequisites, and its strategies in all environments. The clone is not archived. Throws: 404
 * for an unknown flag, 409 if the key is in use or if the source flag requires an archived flag, 402 if the
 * quota of flags is used up or the rules of an environment would become too large.
 */
export async function cloneFlag(call: Call, { id, ...input }: ById & CloneInput): Promise<Written> {
  return written(
    await execute(call, [cloningFlag({ id, ...input })]),
    ({ key }) => key === input.key,
  );
}

export const cloningFlag = ({ id, ...input }: ById & CloneInput): OperationOf<"flag.clone"> => ({
  kind: "flag.clone",
  target: { flagId: id },
  input,
});

/**
 * Changes a flag. Throws: 400 for values or prerequisites that are not allowed; 404 for an unknown flag, tag
 * or owner, 402 if the quota of tags is used up or the rules of an environment would become too large, 409 if
 * a removed variant is in use, 412 if `ifMatch` does not contain the current version.
 */
export async function updateFlag(call: Call, change: ByIdIfMatch & FlagChange): Promise<Written> {
  return written(await execute(call, [updatingFlag(change)]), ({ id }) => id === change.id);
}

export const updatingFlag = ({
  id,
  ifMatch,
  ...input
}: ByIdIfMatch & FlagChange): OperationOf<"flag.update"> => ({
  kind: "flag.update",
  target: { flagId: id },
  ifMatch,
  input,
});

/**
 * Archives or unarchives a flag. Throws: 404 for an unknown id, 409 if a flag that is not archived
 * would require an archived flag, 412 if `ifMatch` does not contain the current version.
 */
export async function setArchived(call: Call, change: SetArchived): Promise<Written> {
  return written(await execute(call, [archiving(change)]), ({ id }) => id === change.id);
}

type SetArchived = ByIdIfMatch & { readonly archived: boolean };

export const archiving = ({ id, ifMatch, archived }: SetArchived): Operation => ({
  kind: archived ? "flag.archive" : "flag.unarchive",
  target: { flagId: id },
  ifMatch,
  input: undefined,
});

/**
 * Deletes an archived flag.
 * Throws: 404 for an unknown id, 409 if the flag is not archived or another flag requires it, 412 if
 * `ifMatch` does not contain the current version.
 */
export async function deleteFlag(
  call: Call,
  { id, ifMatch }: ByIdIfMatch,
): Promise<readonly Revision[]> {
  const target = { flagId: id };
  return (await execute(call, [{ kind: "flag.delete", target, ifMatch, input: undefined }]))
    .revisions;
}

const written = (
  { work, revisions }: Executed,
  isWritten: (flag: FlagRow) => boolean,
): Written => ({ flag: writtenRow(work.flags, isWritten), revisions });
