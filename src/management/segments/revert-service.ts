import { type Call, reads } from "../../access/call.ts";
import { segmentContent } from "../../changes/plan/content.ts";
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
} from "../../changes/revert.ts";
import type { Operation } from "../../changes/plan/operation.ts";
import { recordedSegment } from "./recorded.ts";
import { getSegment } from "./service.ts";

/**
 * Restores a segment as it was before an audit record. If the record is about the deletion of the segment,
 * the segment is created again with a new id. Throws: 404 for an unknown segment, record or project, 409 if
 * the name is in use or the record has no earlier state, 402 if a quota is used up or the rules of an
 * environment would become too large, 412 if `ifMatch` does not contain the current version.
 */
export const revertSegment = async (call: Call, revert: Revert): Promise<Reverted> =>
  runRevert(call, revert, await reversalOf(call, revert));

/**
 * Returns the operation of `revertSegment`, for a change request. Throws: 400 for the record of a
 * deletion; otherwise as `revertSegment`, but not the 402.
 */
export const revertingSegment = async (call: Call, revert: Revert): Promise<Operation> =>
  restoringOperation(revert, await reversalOf(call, revert));

async function reversalOf(call: Call, revert: Revert): Promise<Reversal> {
  const ctx = reads(call, "segment:write");
  const { db } = ctx;
  const record = await revertedRecord(ctx, "segment", revert);
  const { projectId } = record;
  if (record.action === "segment.deleted") {
    const input = deletedContent(record, recordedSegment);
    const operation = { kind: "segment.create", target: { projectId }, input } as const;
    return {
      restore: async () => ({ operation, version: null }),
      rowOf: ({ segments }) => segments.values().find(({ name }) => name === input.name),
    };
  }
  if (record.action !== "segment.updated") throw noEarlierState("delete the segment instead");
  const target = { id: revert.id };
  return {
    restore: async () => {
      const row = await getSegment(call, target);
      const recorded = { now: segmentContent(row), schema: recordedSegment };
      const input = await contentBefore(db, record, recorded);
      return { operation: { kind: "segment.update", target, input }, version: row.version };
    },
    rowOf: ({ segments }) => segments.get(revert.id),
  };
}
