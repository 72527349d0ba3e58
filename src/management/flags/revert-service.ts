import type { Content } from "../../core/audit/changed-fields.ts";
import { conflict } from "../../core/errors/api-error.ts";
import { flags } from "../../db/schema/projects.ts";
import type { AuditRow } from "../audit/queries.ts";
import type { WriteContext } from "../context.ts";
import { optimisticUpdate, unchanged } from "../optimistic-update.ts";
import {
  commitRevert,
  contentBefore,
  deletedContent,
  noEarlierState,
  type Revert,
  type Reverted,
  revertedRecord,
  toReverted,
  withNamedConflicts,
} from "../revert.ts";
import { contentOf } from "./changes.ts";
import type { FlagWithTags } from "./queries.ts";
import { archiving, createdFlag, creation, getFlag, update } from "./service.ts";
import { existingUsers } from "./owner-queries.ts";
import { deletedFlag, recordedFlag } from "./recorded.ts";
import { missingTags, replacedTags, type TagInput } from "./tag-queries.ts";

/**
 * Restores a flag as it was before an audit record. The state (archived or not) changes only if the
 * record is about archiving or unarchiving. If the record is about the deletion, the flag is
 * created again with a new id, archived and off in every environment. Owners that have been deleted
 * are left out. Throws: 404 for an unknown flag, record or project, 409 if the record has no
 * earlier state or the earlier state refers to something that does not exist any more, 402 if a
 * quota is used up or the rules of an environment would become too large, 412 if `ifMatch` does not
 * contain the current version.
 */
export async function revertFlag(ctx: WriteContext, revert: Revert): Promise<Reverted> {
  const record = await revertedRecord(ctx.db, "flag", revert);
  if (record.action === "flag.deleted") return createAgain(ctx, revert, record);
  const { id, ifMatch } = revert;
  const read = () => getFlag(ctx, { id });
  const done = await optimisticUpdate({
    ifMatch,
    read,
    write: async (flag) => {
      const { content, change } = await earlierState(ctx, flag, record);
      const guards = [unchanged(flags, flag), ...(change.guards ?? [])];
      return withNamedConflicts(content, async () => ({
        ...(await commitRevert(ctx, revert, { ...change, guards })),
        version: flag.version,
      }));
    },
  });
  const version = revert.dryRun ? done.version : (await read()).version;
  return toReverted(ctx.db, revert, { ...done, entityType: "flag", entityId: id, version });
}

/** Returns the change that restores the flag as it was before a record. Throws: 409. */
async function earlierState(ctx: WriteContext, flag: FlagWithTags, record: AuditRow) {
  switch (record.action) {
    case "flag.archived":
    case "flag.unarchived":
      return {
        content: {},
        change: archiving(flag, record.action === "flag.unarchived", ctx.now()),
      };
    case "flag.updated": {
      const recorded = { now: recordedContent(flag), schema: recordedFlag };
      const content = await contentBefore(ctx.db, record, recorded);
      await assertTagsExist(ctx, flag.projectId, content.tags);
      const ownerIds = await existingUsers(ctx.db, content.ownerIds);
      return withNamedConflicts(content, async () => ({
        content,
        change: await update(ctx, flag, { ...content, ownerIds }),
      }));
    }
    case "flag.created":
      throw noEarlierState("archive the flag instead");
    case "flag.stale":
      throw noEarlierState("choose the record of a change");
    default:
      throw noEarlierState("revert a strategy with POST /api/v1/flags/{flagId}/strategies/revert");
  }
}

/** Returns the fields of a flag that a record of the action `flag.updated` can contain. */
const recordedContent = (flag: FlagWithTags): Content => ({
  ...contentOf(flag),
  description: flag.description,
  tags: replacedTags(flag.attachedTags, []).before,
});

async function createAgain(ctx: WriteContext, revert: Revert, record: AuditRow): Promise<Reverted> {
  const content = deletedContent(record, deletedFlag);
  const projectId = record.projectId ?? 0;
  const ownerIds = await existingUsers(ctx.db, content.ownerIds);
  const flag = { ...content, ownerIds, projectId, archived: true };
  await assertTagsExist(ctx, projectId, flag.tags);
  const done = await withNamedConflicts(content, () =>
    commitRevert(ctx, revert, creation(flag, ctx.now())),
  );
  if (revert.dryRun) return { ...done, entityId: revert.id, version: 0, recordId: null };
  const { id, version } = await createdFlag(ctx, flag);
  return toReverted(ctx.db, revert, { ...done, entityType: "flag", entityId: id, version });
}

async function assertTagsExist(
  { db }: WriteContext,
  projectId: number,
  tags: readonly TagInput[],
): Promise<void> {
  const gone = await missingTags(db, projectId, tags);
  if (gone.length > 0)
    throw conflict(`The earlier state has tags that no longer exist: ${gone.join(", ")}`);
}
