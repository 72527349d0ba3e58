import { conflict, notFound } from "../../core/errors/api-error.ts";
import type { Actor } from "@feature-flags/permissions/permissions";
import type { Constraint } from "@feature-flags/evaluation/rule";
import type { Revision } from "../../db/commit.ts";
import { rulesUsingSegment } from "../../db/rule-changes.ts";
import { segments } from "../../db/schema/projects.ts";
import type { ManagementDeps } from "../deps.ts";
import { projectExists } from "../projects/queries.ts";
import { optimisticUpdate, staleRow, unchanged } from "../optimistic-update.ts";
import { assertInScope, listedProject } from "../scope.ts";
import * as queries from "./queries.ts";
import type { SegmentRow } from "./queries.ts";

const missing = () => notFound("The segment");
const duplicate = conflict("A segment with this name exists in the project");
const content = ({ name, description, constraints }: SegmentRow) => ({
  name,
  description,
  constraints,
});

/** Errors: 403 for a key of another project. */
export function listSegments(
  deps: ManagementDeps,
  actor: Actor,
  projectId: number | undefined,
): Promise<SegmentRow[]> {
  return queries.listSegments(deps.db, listedProject(actor, projectId));
}

/** Errors: 404, 403 for a key of another project. */
export async function getSegment(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
): Promise<SegmentRow> {
  const segment = await queries.findSegment(deps.db, id);
  if (!segment) throw missing();
  assertInScope(actor, segment.projectId);
  return segment;
}

/** Errors: 404 for the project, 409 for a name in use, 402 over the quota. */
export async function createSegment(
  deps: ManagementDeps,
  actor: Actor,
  input: {
    readonly name: string;
    readonly description?: string | null | undefined;
    readonly constraints: readonly Constraint[];
    readonly projectId: number;
  },
): Promise<SegmentRow> {
  const { name, description = null, constraints, projectId } = input;
  const now = deps.now();
  const segment = { name, description, constraints };
  const entityId = queries.segmentIdByName(projectId, name);
  const count = queries.countSegments(projectId);
  await deps.commit(actor, {
    guards: [
      { holds: projectExists(projectId), error: notFound("The project") },
      { quota: "SEGMENTS", count: count },
    ],
    statements: [queries.insertSegment({ ...segment, projectId, createdAt: now, updatedAt: now })],
    audit: [
      {
        action: "segment.created",
        entityType: "segment",
        entityId,
        projectId,
        after: segment,
      },
    ],
    events: [{ type: "segment.created", projectId, entityId, data: { segment } }],
    onDuplicate: duplicate,
  });
  const created = await queries.findSegmentByName(deps.db, projectId, name);
  if (!created) throw missing();
  return created;
}

/** Changes every flag that uses it. Errors: 404, 409 for a name in use, 412. */
export async function updateSegment(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
  input: {
    readonly name?: string | undefined;
    readonly description?: string | null | undefined;
    readonly constraints?: readonly Constraint[] | undefined;
  },
  ifMatch: readonly number[] | undefined,
): Promise<{ readonly row: SegmentRow; readonly revisions: readonly Revision[] }> {
  const read = () => getSegment(deps, actor, id);
  const revisions = await optimisticUpdate({
    ifMatch,
    read,
    write: (row) => {
      const {
        name = row.name,
        description = row.description,
        constraints = row.constraints,
      } = input;
      const after = { name, description, constraints };
      const { projectId } = row;
      return deps.commit(actor, {
        guards: [unchanged(segments, row)],
        statements: [queries.updateSegment(id, { ...after, updatedAt: deps.now() })],
        audit: [
          {
            action: "segment.updated",
            entityType: "segment",
            entityId: id,
            projectId,
            before: content(row),
            after,
          },
        ],
        events: [{ type: "segment.updated", projectId, entityId: id, data: { segment: after } }],
        ruleChanges: rulesUsingSegment(id),
        onDuplicate: duplicate,
      });
    },
  });
  return { row: await read(), revisions };
}

/** Errors: 404, 409 naming the flags that use it, 412. */
export async function deleteSegment(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
  ifMatch: readonly number[] | undefined,
): Promise<void> {
  const read = () => getSegment(deps, actor, id);
  await optimisticUpdate({
    ifMatch,
    read,
    write: async (row) => {
      const flags = await queries.flagsUsingSegment(deps.db, id);
      if (flags.length > 0) throw conflict(`The segment is used by: ${flags.join(", ")}`);
      const { projectId } = row;
      await deps.commit(actor, {
        guards: [unchanged(segments, row)],
        statements: [queries.deleteSegment(id)],
        audit: [
          {
            action: "segment.deleted",
            entityType: "segment",
            entityId: id,
            projectId,
            before: content(row),
          },
        ],
        events: [
          { type: "segment.deleted", projectId, entityId: id, data: { segment: content(row) } },
        ],
        // A strategy took it up in between: start again, and name the flag.
        onForeignKey: staleRow,
      });
    },
  });
}
