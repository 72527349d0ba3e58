import type { Constraint } from "@feature-flags/evaluation/rule";
import { jsonBytes } from "../../core/lib/chunks.ts";
import { conflict, notFound } from "../../core/errors/api-error.ts";
import type { SingleChange, Revision } from "../../db/commit.ts";
import type { SizeGuard } from "../../db/quota.ts";
import { ruleBytesWithSegment } from "../../db/rule-bytes.ts";
import { rulesUsingSegment } from "../../db/rule-changes.ts";
import { segments } from "../../db/schema/projects.ts";
import type { ReadContext, WriteContext } from "../context.ts";
import type { ById, ByIdIfMatch, ChangeOf, ListInProject } from "../input.ts";
import { optimisticUpdate, staleRow, unchanged } from "../optimistic-update.ts";
import { projectExists } from "../projects/queries.ts";
import { assertInScope, listedProject } from "../scope.ts";
import * as queries from "./queries.ts";
import type { ListedSegment, SegmentRow } from "./queries.ts";

/** The fields of a segment that users set. */
export interface SegmentContent {
  readonly name: string;
  readonly description: string | null;
  readonly constraints: readonly Constraint[];
}

const missing = () => notFound("The segment does not exist");
const duplicate = conflict("A segment with this name exists in the project");
export const contentOf = ({ name, description, constraints }: SegmentRow): SegmentContent => ({
  name,
  description,
  constraints,
});

/**
 * Returns the segments of one project or of all projects (see `listedProject`). Throws: 403 for an
 * API key of another project.
 */
export function listSegments(
  { db, actor }: ReadContext,
  { projectId, counts = false }: ListInProject,
): Promise<ListedSegment[]> {
  return queries.listSegments(db, listedProject(actor, projectId), counts);
}

/** Returns a segment. Throws: 404 for an unknown id, 403 for an API key of another project. */
export async function getSegment({ db, actor }: ReadContext, { id }: ById): Promise<SegmentRow> {
  const segment = await queries.findSegment(db, id);
  if (!segment) throw missing();
  assertInScope(actor, segment.projectId);
  return segment;
}

/**
 * Creates a segment. Throws: 404 for an unknown project, 409 if the project already has a segment
 * with the name, 402 if the quota of segments is used up.
 */
export async function createSegment(
  ctx: WriteContext,
  input: Omit<SegmentContent, "description"> & {
    readonly description?: string | null | undefined;
    readonly projectId: number;
  },
): Promise<SegmentRow> {
  const { name, description = null, constraints, projectId } = input;
  const segment = { name, description, constraints };
  await ctx.commit(creation(projectId, segment, ctx.now()));
  return createdSegment(ctx, projectId, name);
}

/** Returns the change that creates a segment. */
export function creation(projectId: number, segment: SegmentContent, now: number): SingleChange {
  const { name } = segment;
  const entityId = queries.segmentIdByName(projectId, name);
  return {
    guards: [
      { holds: projectExists(projectId), error: notFound("The project does not exist") },
      { quota: "SEGMENTS", count: queries.countSegments(projectId) },
    ],
    statements: [queries.insertSegment({ ...segment, projectId, createdAt: now, updatedAt: now })],
    audit: [
      { action: "segment.created", entityType: "segment", entityId, projectId, after: segment },
    ],
    events: [{ type: "segment.created", projectId, entityId, data: { segment } }],
    onDuplicate: duplicate,
  };
}

/** Returns a segment that has just been created. */
export async function createdSegment(
  { db }: ReadContext,
  projectId: number,
  name: string,
): Promise<SegmentRow> {
  const created = await queries.findSegmentByName(db, projectId, name);
  if (!created) throw missing();
  return created;
}

/**
 * Changes a segment, and thereby the rule of every flag that uses the segment.
 * Throws: 404 for an unknown id, 409 if the name is in use, 402 if the rules of an environment would
 * become too large, 412 if `ifMatch` does not contain the current version.
 */
export async function updateSegment(
  ctx: WriteContext,
  { id, ifMatch, ...change }: ByIdIfMatch & ChangeOf<SegmentContent>,
): Promise<{ readonly row: SegmentRow; readonly revisions: readonly Revision[] }> {
  const read = () => getSegment(ctx, { id });
  const revisions = await optimisticUpdate({
    ifMatch,
    read,
    write: (row) => {
      const {
        name = row.name,
        description = row.description,
        constraints = row.constraints,
      } = change;
      return ctx.commit(update(row, { name, description, constraints }, ctx.now()));
    },
  });
  return { row: await read(), revisions };
}

/** Returns the change that replaces the content of a segment. */
export function update(row: SegmentRow, after: SegmentContent, now: number): SingleChange {
  const { id, projectId } = row;
  return {
    guards: [unchanged(segments, row), ...sizeGuards(row, after.constraints)],
    statements: [queries.updateSegment(id, { ...after, updatedAt: now })],
    audit: [
      {
        action: "segment.updated",
        entityType: "segment",
        entityId: id,
        projectId,
        before: contentOf(row),
        after,
      },
    ],
    events: [{ type: "segment.updated", projectId, entityId: id, data: { segment: after } }],
    ruleChanges: rulesUsingSegment(id),
    onDuplicate: duplicate,
  };
}

/**
 * Deletes a segment. Throws: 404 for an unknown id, 409 if flags use the segment (the error names
 * the flags), 412 if `ifMatch` does not contain the current version.
 */
export async function deleteSegment(
  ctx: WriteContext,
  { id, ifMatch }: ByIdIfMatch,
): Promise<void> {
  await optimisticUpdate({
    ifMatch,
    read: () => getSegment(ctx, { id }),
    write: async (row) => {
      const flags = await queries.flagsUsingSegment(ctx.db, id);
      if (flags.length > 0)
        throw conflict(
          `The segment cannot be deleted, because these flags use it: ${flags.join(", ")}`,
        );
      const { projectId } = row;
      const before = contentOf(row);
      await ctx.commit({
        guards: [unchanged(segments, row)],
        statements: [queries.deleteSegment(id)],
        audit: [
          { action: "segment.deleted", entityType: "segment", entityId: id, projectId, before },
        ],
        events: [{ type: "segment.deleted", projectId, entityId: id, data: { segment: before } }],
        // Tries again if a strategy has started to use the segment since the check above. The next
        // attempt throws the error that names the flag of the strategy.
        onForeignKey: staleRow,
      });
    },
  });
}

/**
 * Returns the guard that limits the size of the rules that use the segment; none if the constraints
 * do not grow.
 */
function sizeGuards({ id, constraints }: SegmentRow, changed: readonly Constraint[]): SizeGuard[] {
  const growth = jsonBytes(changed) - jsonBytes(constraints);
  return growth > 0 ? [{ quota: "RULE_BYTES", bytes: ruleBytesWithSegment(id, growth) }] : [];
}
