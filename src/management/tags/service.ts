import { conflict, notFound } from "../../core/errors/api-error.ts";
import type { Actor } from "@feature-flags/permissions/permissions";
import { tags } from "../../db/schema/projects.ts";
import type { ManagementDeps } from "../deps.ts";
import { projectExists } from "../projects/queries.ts";
import { optimisticUpdate, unchanged } from "../optimistic-update.ts";
import { assertInScope, listedProject } from "../scope.ts";
import * as queries from "./queries.ts";
import type { TagRow } from "./queries.ts";

const missing = () => notFound("The tag");
const duplicate = conflict("A tag with this name exists in the project");
const content = ({ name, color }: TagRow) => ({ name, color });

/** Errors: 403 for a key of another project. */
export function listTags(
  deps: ManagementDeps,
  actor: Actor,
  projectId: number | undefined,
): Promise<TagRow[]> {
  return queries.listTags(deps.db, listedProject(actor, projectId));
}

/** Errors: 404, 403 for a key of another project. */
export async function getTag(deps: ManagementDeps, actor: Actor, id: number): Promise<TagRow> {
  const tag = await queries.findTag(deps.db, id);
  if (!tag) throw missing();
  assertInScope(actor, tag.projectId);
  return tag;
}

/** Errors: 404 for the project, 409 for a name in use, 402 over the quota. */
export async function createTag(
  deps: ManagementDeps,
  actor: Actor,
  input: { readonly name: string; readonly color: string; readonly projectId: number },
): Promise<TagRow> {
  const { name, color, projectId } = input;
  const tag = { name, color };
  await deps.commit(actor, {
    guards: [
      { holds: projectExists(projectId), error: notFound("The project") },
      { quota: "TAGS", count: queries.countTags(projectId) },
    ],
    statements: [queries.insertTag({ ...tag, projectId, createdAt: deps.now() })],
    audit: [
      {
        action: "tag.created",
        entityType: "tag",
        entityId: queries.tagIdByName(projectId, name),
        projectId,
        after: tag,
      },
    ],
    onDuplicate: duplicate,
  });
  const created = await queries.findTagByName(deps.db, projectId, name);
  if (!created) throw missing();
  return created;
}

/** Leaves the values that flags show as they are. Errors: 404, 409 for a name in use, 412. */
export async function updateTag(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
  input: { readonly name?: string | undefined; readonly color?: string | undefined },
  ifMatch: readonly number[] | undefined,
): Promise<TagRow> {
  const read = () => getTag(deps, actor, id);
  await optimisticUpdate({
    ifMatch,
    read,
    write: (row) => {
      const { name = row.name, color = row.color } = input;
      const after = { name, color };
      return deps.commit(actor, {
        guards: [unchanged(tags, row)],
        statements: [queries.updateTag(id, after)],
        audit: [
          {
            action: "tag.updated",
            entityType: "tag",
            entityId: id,
            projectId: row.projectId,
            before: content(row),
            after,
          },
        ],
        onDuplicate: duplicate,
      });
    },
  });
  return read();
}

/** Detaches it from every flag; the flags themselves do not change. Errors: 404. */
export async function deleteTag(deps: ManagementDeps, actor: Actor, id: number): Promise<void> {
  const read = () => getTag(deps, actor, id);
  await optimisticUpdate({
    read,
    write: (row) =>
      deps.commit(actor, {
        guards: [unchanged(tags, row)],
        statements: [queries.deleteTag(id)],
        audit: [
          {
            action: "tag.deleted",
            entityType: "tag",
            entityId: id,
            projectId: row.projectId,
            before: content(row),
          },
        ],
      }),
  });
}
