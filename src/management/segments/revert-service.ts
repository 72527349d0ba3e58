import type { WriteContext } from "../context.ts";
import { optimisticUpdate } from "../optimistic-update.ts";
import {
  commitRevert,
  contentBefore,
  deletedContent,
  noEarlierState,
  type Revert,
  type Reverted,
  revertedRecord,
  toReverted,
} from "../revert.ts";
import type { AuditRow } from "../audit/queries.ts";
import { recordedSegment } from "./recorded.ts";
import { contentOf, createdSegment, creation, getSegment, update } from "./service.ts";

/**
 * Restores a segment as it was before an audit record. If the record is about the deletion of the
 * segment, the segment is created again with a new id. Throws: 404 for an unknown segment, record
 * or project, 409 if the name is in use or the record has no earlier state, 402 if a quota is used
 * up or the rules of an environment would become too large, 412 if `ifMatch` does not contain the
 * current version.
 */
export async function revertSegment(ctx: WriteContext, revert: Revert): Promise<Reverted> {
  const record = await revertedRecord(ctx.db, "segment", revert);
  if (record.action === "segment.deleted") return createAgain(ctx, revert, record);
  if (record.action !== "segment.updated") throw noEarlierState("delete the segment instead");
  const { id, ifMatch } = revert;
  const read = () => getSegment(ctx, { id });
  const done = await optimisticUpdate({
    ifMatch,
    read,
    write: async (row) => {
      const recorded = { now: { ...contentOf(row) }, schema: recordedSegment };
      const before = await contentBefore(ctx.db, record, recorded);
      const change = update(row, before, ctx.now());
      return { ...(await commitRevert(ctx, revert, change)), version: row.version };
    },
  });
  const version = revert.dryRun ? done.version : (await read()).version;
  return toReverted(ctx.db, revert, { ...done, entityType: "segment", entityId: id, version });
}

async function createAgain(ctx: WriteContext, revert: Revert, record: AuditRow): Promise<Reverted> {
  const { projectId } = record;
  const segment = deletedContent(record, recordedSegment);
  const done = await commitRevert(ctx, revert, creation(projectId ?? 0, segment, ctx.now()));
  if (revert.dryRun) return { ...done, entityId: revert.id, version: 0, recordId: null };
  const { id, version } = await createdSegment(ctx, projectId ?? 0, segment.name);
  return toReverted(ctx.db, revert, { ...done, entityType: "segment", entityId: id, version });
}
