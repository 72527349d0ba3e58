import { conflict, notFound } from "../../core/errors/api-error.ts";
import { belowLimit } from "../../db/quota.ts";
import { sharedFilters } from "../../db/schema/preferences.ts";
import { type Call, type Reading, reads, writes } from "../../access/call.ts";
import { inScope, listedProjects, unknownProject } from "../../access/scope.ts";
import { optimisticUpdate, unchanged } from "../../model/optimistic-update.ts";
import { projectExists } from "../../model/projects/queries.ts";
import * as queries from "../../model/shared-filters/queries.ts";
import { MAX_SHARED, type SharedFilterRow } from "../../model/shared-filters/queries.ts";

type Content = Pick<SharedFilterRow, "name" | "query">;

const missing = () => notFound("The shared filter does not exist");
const duplicate = conflict("A shared filter with this name exists in the project");

const auditShape = ({ name, query }: Content) => ({ name, query });

/** Returns the shared filters of the listed projects. Throws: 403 for an API key of another project. */
export function listSharedFilters(
  call: Call,
  { projectId }: { readonly projectId?: number | undefined },
): Promise<SharedFilterRow[]> {
  const { db, actor } = reads(call, "shared-filter:read");
  return queries.listSharedFilters(db, listedProjects(actor, projectId));
}

/** Returns a shared filter. Throws: 404 for an unknown id, 403 for an API key of another project. */
export const getSharedFilter = (
  call: Call,
  { id }: { readonly id: number },
): Promise<SharedFilterRow> => find(reads(call, "shared-filter:read"), id);

const find = async (ctx: Reading, id: number): Promise<SharedFilterRow> =>
  inScope(ctx, await queries.findSharedFilter(ctx.db, id), missing());

/**
 * Creates a shared filter. Throws: 404 for an unknown project, 409 if the project already has a shared
 * filter with the name, 402 if it has `MAX_SHARED`.
 */
export async function createSharedFilter(
  call: Call,
  { projectId, name, query }: Content & { readonly projectId: number },
): Promise<SharedFilterRow> {
  const ctx = writes(call, "shared-filter:write", { projectId });
  const now = ctx.now();
  await ctx.commit({
    guards: [
      { holds: projectExists(projectId), error: unknownProject() },
      belowLimit(queries.countSharedFilters(projectId), MAX_SHARED, "shared filters in a project"),
    ],
    statements: [
      queries.insertSharedFilter({ projectId, name, query, createdAt: now, updatedAt: now }),
    ],
    audit: [
      {
        action: "shared-filter.created",
        entityType: "shared-filter",
        entityId: queries.sharedFilterIdByName(projectId, name),
        projectId,
        after: auditShape({ name, query }),
      },
    ],
    onDuplicate: duplicate,
  });
  const row = await queries.findSharedFilterByName(ctx.db, projectId, name);
  if (!row) throw missing();
  return row;
}

/**
 * Changes a shared filter. Throws: 404 for an unknown id, 409 if the project has another shared filter
 * with the name, 412 if `ifMatch` does not contain its version.
 */
export async function updateSharedFilter(
  call: Call,
  input: {
    readonly id: number;
    readonly name?: string | undefined;
    readonly query?: string | undefined;
    readonly ifMatch?: readonly number[] | undefined;
  },
): Promise<SharedFilterRow> {
  const { id, ifMatch } = input;
  const ctx = reads(call, "shared-filter:write");
  const read = () => find(ctx, id);
  await optimisticUpdate({
    ifMatch,
    read,
    write: (row) => {
      const after = { name: input.name ?? row.name, query: input.query ?? row.query };
      return writes(call, "shared-filter:write", { projectId: row.projectId }).commit({
        guards: [unchanged(sharedFilters, row)],
        statements: [queries.updateSharedFilter(id, { ...after, updatedAt: ctx.now() })],
        audit: [
          {
            action: "shared-filter.updated",
            entityType: "shared-filter",
            entityId: id,
            projectId: row.projectId,
            before: auditShape(row),
            after,
          },
        ],
        onDuplicate: duplicate,
      });
    },
  });
  return read();
}

/** Deletes a shared filter. Throws: 404 for an unknown id, 412 if `ifMatch` lacks its version. */
export async function deleteSharedFilter(
  call: Call,
  { id, ifMatch }: { readonly id: number; readonly ifMatch?: readonly number[] | undefined },
): Promise<void> {
  const ctx = reads(call, "shared-filter:write");
  await optimisticUpdate({
    ifMatch,
    read: () => find(ctx, id),
    write: (row) =>
      writes(call, "shared-filter:write", { projectId: row.projectId }).commit({
        guards: [unchanged(sharedFilters, row)],
        statements: [queries.deleteSharedFilter(id)],
        audit: [
          {
            action: "shared-filter.deleted",
            entityType: "shared-filter",
            entityId: id,
            projectId: row.projectId,
            before: auditShape(row),
          },
        ],
      }),
  });
}
