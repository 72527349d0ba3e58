import { notFound } from "../../core/errors/api-error.ts";
import type { Revision } from "../../db/commit.ts";
import { type SliceRequest, sliceOf } from "../../http/paging.ts";
import { type Call, reads } from "../../access/call.ts";
import type { ById, ByIdIfMatch, ChangeOf, ListInProject } from "../../core/lib/input.ts";
import { readFitting } from "../../db/list-bytes.ts";
import type { SegmentContent } from "../../changes/plan/content.ts";
import { execute } from "../../changes/execute.ts";
import type { OperationOf } from "../../changes/plan/operation.ts";
import { writtenRow } from "../../changes/written-row.ts";
import { inScope, listedProjects } from "../../access/scope.ts";
import * as queries from "../../model/segments/queries.ts";
import type { ListedSegment, SegmentRow } from "../../model/segments/queries.ts";

/**
 * Returns the segments of one project or of all projects (see `listedProjects`), or a page of them, with the
 * number of all. Throws: 403 for an API key of another project, 400 for a list that is too large.
 */
export async function listSegments(
  call: Call,
  {
    projectId,
    search,
    counts = false,
    page,
    size,
  }: ListInProject & SliceRequest & { readonly search?: string | undefined },
): Promise<{ items: readonly ListedSegment[]; total: number }> {
  const { db, actor } = reads(call, "segment:read");
  const listed = listedProjects(actor, projectId);
  const found = search === undefined ? undefined : await queries.findByName(db, listed, search);
  const list = { listed, found, slice: sliceOf({ page, size }) };
  const bytes = queries.listedBytes(db, list);
  const [items, total] = await Promise.all([
    readFitting(db, { bytes, advice: "ask for pages with page and size" }, (condition) =>
      queries.listSegments(db, list, counts, condition),
    ),
    list.slice && (found?.length ?? queries.countListed(db, listed)),
  ]);
  return { items, total: total ?? items.length };
}

/** Returns a segment. Throws: 404 for an unknown id, 403 for an API key of another project. */
export async function getSegment(call: Call, { id }: ById): Promise<SegmentRow> {
  const ctx = reads(call, "segment:read");
  return inScope(
    ctx,
    await queries.findSegment(ctx.db, id),
    notFound("The segment does not exist"),
  );
}

/**
 * Creates a segment. Throws: 404 for an unknown project, 409 if the project already has a segment
 * with the name, 402 if the quota of segments is used up.
 */
export async function createSegment(
  call: Call,
  { projectId, ...input }: OperationOf<"segment.create">["input"] & { readonly projectId: number },
): Promise<SegmentRow> {
  const target = { projectId };
  const { work } = await execute(call, [{ kind: "segment.create", target, input }]);
  return writtenRow(work.segments, ({ name }) => name === input.name);
}

/**
 * Changes a segment, and thereby the rule of every flag that uses the segment.
 * Throws: 404 for an unknown id, 409 if the name is in use, 402 if the rules of an environment would
 * become too large, 412 if `ifMatch` does not contain the current version.
 */
export async function updateSegment(
  call: Call,
  change: ByIdIfMatch & ChangeOf<SegmentContent>,
): Promise<{ readonly row: SegmentRow; readonly revisions: readonly Revision[] }> {
  const { work, revisions } = await execute(call, [updatingSegment(change)]);
  return { row: writtenRow(work.segments, ({ id }) => id === change.id), revisions };
}

export const updatingSegment = ({
  id,
  ifMatch,
  ...input
}: ByIdIfMatch & ChangeOf<SegmentContent>): OperationOf<"segment.update"> => ({
  kind: "segment.update",
  target: { id },
  ifMatch,
  input,
});

/**
 * Deletes a segment. Throws: 404 for an unknown id, 409 if flags use the segment (the error names
 * the flags), 412 if `ifMatch` does not contain the current version.
 */
export async function deleteSegment(call: Call, { id, ifMatch }: ByIdIfMatch): Promise<void> {
  await execute(call, [{ kind: "segment.delete", target: { id }, ifMatch, input: undefined }]);
}
