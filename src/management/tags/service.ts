import { conflict, notFound } from "../../core/errors/api-error.ts";
import { tags } from "../../db/schema/projects.ts";
import type { ReadContext, WriteContext } from "../context.ts";
import type { ById, ByIdIfMatch, ChangeOf, ListInProject } from "../input.ts";
import { optimisticUpdate, unchanged } from "../optimistic-update.ts";
import { projectExists } from "../projects/queries.ts";
import { assertInScope, listedProject } from "../scope.ts";
import * as queries from "./queries.ts";
import type { ListedTag, TagRow } from "./queries.ts";

interface TagContent {
  readonly name: string;
  readonly color: string;
}

const missing = () => notFound("The tag does not exist");
const duplicate = conflict("A tag with this name exists in the project");
const contentOf = ({ name, color }: TagRow): TagContent => ({ name, color });

/**
 * Returns the tags of one project or of all projects (see `listedProject`). Throws: 403 for an API
 * key of another project.
 */
export function listTags(
  { db, actor }: ReadContext,
  { projectId, counts = false }: ListInProject,
): Promise<ListedTag[]> {
  return queries.listTags(db, listedProject(actor, projectId), counts);
}

/** Returns a tag. Throws: 404 for an unknown id, 403 for an API key of another project. */
export async function getTag({ db, actor }: ReadContext, { id }: ById): Promise<TagRow> {
  const tag = await queries.findTag(db, id);
  if (!tag) throw missing();
  assertInScope(actor, tag.projectId);
  return tag;
}

/**
 * Creates a tag. Throws: 404 for an unknown project, 409 if the project already has a tag with the
 * name, 402 if the quota of tags is used up.
 */
export async function createTag(
  ctx: WriteContext,
  { name, color, projectId }: TagContent & { readonly projectId: number },
): Promise<TagRow> {
  const tag = { name, color };
  await ctx.commit({
    guards: [
      { holds: projectExists(projectId), error: notFound("The project does not exist") },
      { quota: "TAGS", count: queries.countTags(projectId) },
    ],
    statements: [queries.insertTag({ ...tag, projectId, createdAt: ctx.now() })],
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
  const created = await queries.findTagByName(ctx.db, projectId, name);
  if (!created) throw missing();
  return created;
}

/**
 * Changes the name or the colour of a tag. The values that flags have for the tag do not change.
 * Throws: 404 for an unknown id, 409 if the name is in use, 412 if `ifMatch` does not contain the
 * current version.
 */
export async function updateTag(
  ctx: WriteContext,
  { id, ifMatch, ...change }: ByIdIfMatch & ChangeOf<TagContent>,
): Promise<TagRow> {
  const read = () => getTag(ctx, { id });
  await optimisticUpdate({
    ifMatch,
    read,
    write: (row) => {
      const { name = row.name, color = row.color } = change;
      const after = { name, color };
      return ctx.commit({
        guards: [unchanged(tags, row)],
        statements: [queries.updateTag(id, after)],
        audit: [
          {
            action: "tag.updated",
            entityType: "tag",
            entityId: id,
            projectId: row.projectId,
            before: contentOf(row),
            after,
          },
        ],
        onDuplicate: duplicate,
      });
    },
  });
  return read();
}

/**
 * Deletes a tag and detaches it from every flag. The versions of the flags do not change.
 * Throws: 404 for an unknown id.
 */
export async function deleteTag(ctx: WriteContext, { id }: ById): Promise<void> {
  await optimisticUpdate({
    read: () => getTag(ctx, { id }),
    write: (row) =>
      ctx.commit({
        guards: [unchanged(tags, row)],
        statements: [queries.deleteTag(id)],
        audit: [
          {
            action: "tag.deleted",
            entityType: "tag",
            entityId: id,
            projectId: row.projectId,
            before: contentOf(row),
          },
        ],
      }),
  });
}
