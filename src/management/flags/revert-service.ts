import type { Content } from "../../core/audit/changed-fields.ts";
import { conflict } from "../../core/errors/api-error.ts";
import type { ReadDb } from "../../db/database.ts";
import type { AuditRow } from "../../model/audit/queries.ts";
import { type Call, reads } from "../../access/call.ts";
import type { Operation } from "../../changes/plan/operation.ts";
import {
  contentBefore,
  deletedContent,
  noEarlierState,
  type Revert,
  type Reverted,
  revertedRecord,
  restoringOperation,
  type Reversal,
  runRevert,
  withNamedConflicts,
} from "../../changes/revert.ts";
import type { TagInput } from "../../model/flags/attached-tags.ts";
import { recordedContent } from "../../model/flags/content.ts";
import { existingUsers } from "../../model/flags/owner-queries.ts";
import type { FlagWithTags } from "../../model/flags/queries.ts";
import { deletedFlag, recordedFlag } from "./recorded.ts";
import { getFlag } from "./service.ts";
import { missingTags } from "../../model/flags/tag-queries.ts";

/**
 * Restores a flag as it was before an audit record. The state (archived or not) changes only if the record is
 * about archiving or unarchiving. If the record is about the deletion, the flag is created again with a new
 * id, archived and off in every environment. Owners that have been deleted are left out. Throws: 404 for an
 * unknown flag, record or project, 409 if the record has no earlier state or the earlier state refers to
 * something that does not exist any more, 402 if a quota is used up or the rules of an environment would
 * become too large, 412 if `ifMatch` does not contain the current version.
 */
export async function revertFlag(call: Call, revert: Revert): Promise<Reverted> {
  const reversal = await reversalOf(call, revert);
  return withNamedConflicts(reversal.content, () => runRevert(call, revert, reversal));
}

/**
 * Returns the operation of `revertFlag`, for a change request. Throws: 400 for the record of a
 * deletion; otherwise as `revertFlag`, but not the 402.
 */
export const revertingFlag = async (call: Call, revert: Revert): Promise<Operation> =>
  restoringOperation(revert, await reversalOf(call, revert));

interface FlagReversal extends Reversal {
  readonly content: () => Content;
}

async function reversalOf(call: Call, revert: Revert): Promise<FlagReversal> {
  const ctx = reads(call, "flag:write");
  const { db } = ctx;
  const record = await revertedRecord(ctx, "flag", revert);
  const { projectId } = record;
  if (record.action === "flag.deleted") {
    const content = deletedContent(record, deletedFlag);
    const { key } = content;
    return {
      content: () => content,
      restore: async () => {
        await assertTagsExist(db, projectId, content.tags);
        const ownerIds = await existingUsers(db, content.ownerIds);
        const input = { ...content, ownerIds, archived: true };
        return { operation: { kind: "flag.create", target: { projectId }, input }, version: null };
      },
      rowOf: ({ flags }) => flags.values().find((flag) => flag.key === key),
    };
  }
  const { id } = revert;
  let content = {};
  return {
    content: () => content,
    restore: async () => {
      const flag = await getFlag(call, { id });
      const operation = await restoring(db, flag, record);
      content = operation.input ?? {};
      return { operation, version: flag.version };
    },
    rowOf: ({ flags }) => flags.get(id),
  };
}

/** Returns the operation that restores the flag as it was before a record. Throws: 409. */
async function restoring(db: ReadDb, flag: FlagWithTags, record: AuditRow) {
  const target = { flagId: flag.id };
  switch (record.action) {
    case "flag.archived":
      return { kind: "flag.unarchive", target, input: undefined } satisfies Operation;
    case "flag.unarchived":
      return { kind: "flag.archive", target, input: undefined } satisfies Operation;
    case "flag.updated": {
      const recorded = { now: recordedContent(flag), schema: recordedFlag };
      const content = await contentBefore(db, record, recorded);
      await assertTagsExist(db, flag.projectId, content.tags);
      const ownerIds = await existingUsers(db, content.ownerIds);
      return { kind: "flag.update", target, input: { ...content, ownerIds } } satisfies Operation;
    }
    case "flag.created":
      throw noEarlierState("archive the flag instead");
    case "flag.stale":
      throw noEarlierState("choose the record of a change");
    default:
      throw noEarlierState("revert a strategy with POST /api/v1/flags/{flagId}/strategies/revert");
  }
}

async function assertTagsExist(
  db: ReadDb,
  projectId: number,
  tags: readonly TagInput[],
): Promise<void> {
  const gone = await missingTags(db, projectId, tags);
  if (gone.length > 0)
    throw conflict(`The earlier state has tags that no longer exist: ${gone.join(", ")}`);
}
