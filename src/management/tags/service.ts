import { notFound } from "../../core/errors/api-error.ts";
import { tags } from "../../db/schema/projects.ts";
import { type Call, reads } from "../../access/call.ts";
import type { ById, ByIdIfMatch, ChangeOf, ListInProject } from "../../core/lib/input.ts";
import type { TagContent } from "../../changes/plan/content.ts";
import { isListed } from "../../db/project-filter.ts";
import { expectAllFit } from "../../db/list-bytes.ts";
import { execute } from "../../changes/execute.ts";
import { writtenRow } from "../../changes/written-row.ts";
import { inScope, listedProjects } from "../../access/scope.ts";
import * as queries from "../../model/tags/queries.ts";
import type { ListedTag, TagRow } from "../../model/tags/queries.ts";

/**
 * Returns the tags of one project or of all projects (see `listedProjects`). Throws: 403 for an API
 * key of another project, 400 if the tags of all projects are too many.
 */
export async function listTags(
  call: Call,
  { projectId, counts = false }: ListInProject,
): Promise<ListedTag[]> {
  const { db, actor } = reads(call, "tag:read");
  const listed = listedProjects(actor, projectId);
  if (listed.projectId === undefined)
    await expectAllFit(db, tags, { texts: [tags.name], where: isListed(tags.projectId, listed) });
  return queries.listTags(db, listed, counts);
}

/** Returns a tag. Throws: 404 for an unknown id, 403 for an API key of another project. */
export async function getTag(call: Call, { id }: ById): Promise<TagRow> {
  const ctx = reads(call, "tag:read");
  return inScope(ctx, await queries.findTag(ctx.db, id), notFound("The tag does not exist"));
}

/**
 * Creates a tag. Throws: 404 for an unknown project, 409 if the project already has a tag with the
 * name, 402 if the quota of tags is used up.
 */
export async function createTag(
  call: Call,
  { projectId, ...input }: TagContent & { readonly projectId: number },
): Promise<TagRow> {
  const { work } = await execute(call, [{ kind: "tag.create", target: { projectId }, input }]);
  return writtenRow(work.tags, ({ name }) => name === input.name);
}

/**
 * Changes the name or the colour of a tag. The values that flags have for the tag do not change. Throws: 404
 * for an unknown id, 409 if the name is in use, 412 if `ifMatch` does not contain the current version.
 */
export async function updateTag(
  call: Call,
  { id, ifMatch, ...input }: ByIdIfMatch & ChangeOf<TagContent>,
): Promise<TagRow> {
  const { work } = await execute(call, [{ kind: "tag.update", target: { id }, ifMatch, input }]);
  return writtenRow(work.tags, (row) => row.id === id);
}

/**
 * Deletes a tag and detaches it from every flag. The versions of the flags do not change.
 * Throws: 404 for an unknown id.
 */
export async function deleteTag(call: Call, { id }: ById): Promise<void> {
  await execute(call, [{ kind: "tag.delete", target: { id }, input: undefined }]);
}
