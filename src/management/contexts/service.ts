import { conflict, invalid, notFound } from "../../core/errors/api-error.ts";
import { contextDefinitions } from "../../db/schema/projects.ts";
import type { ReadContext, WriteContext } from "../context.ts";
import type { ById, ByIdIfMatch, ChangeOf, ListInProject } from "../input.ts";
import { optimisticUpdate, unchanged } from "../optimistic-update.ts";
import { projectExists } from "../projects/queries.ts";
import { assertInScope, listedProject } from "../scope.ts";
import * as queries from "./queries.ts";
import type { ContextRow, ListedContext } from "./queries.ts";
import { listValues } from "./value-queries.ts";
import { auditOfValues, differences, unfitValues } from "./value-set.ts";

interface ContextContent {
  readonly name: string;
  readonly contextKey: string;
  readonly contextType: string;
}

const missing = () => notFound("The context does not exist");
const duplicate = conflict("A context with this key exists in the project");
const contentOf = ({ name, contextKey, contextType }: ContextRow): ContextContent => ({
  name,
  contextKey,
  contextType,
});

/**
 * Returns the context definitions of one project or of all projects (see `listedProject`). Throws:
 * 403 for an API key of another project.
 */
export function listContexts(
  { db, actor }: ReadContext,
  { projectId, counts = false }: ListInProject,
): Promise<ListedContext[]> {
  return queries.listContexts(db, listedProject(actor, projectId), counts);
}

/**
 * Returns a context definition. Throws: 404 for an unknown id, 403 for an API key of another
 * project.
 */
export async function getContext({ db, actor }: ReadContext, { id }: ById): Promise<ContextRow> {
  const context = await queries.findContext(db, id);
  if (!context) throw missing();
  assertInScope(actor, context.projectId);
  return context;
}

/**
 * Creates a context definition. Throws: 404 for an unknown project, 409 if the project already has
 * the context key, 402 if the quota of context definitions is used up.
 */
export async function createContext(
  ctx: WriteContext,
  input: ContextContent & { readonly projectId: number },
): Promise<ContextRow> {
  const { name, contextKey, contextType, projectId } = input;
  const context = { name, contextKey, contextType };
  await ctx.commit({
    guards: [
      { holds: projectExists(projectId), error: notFound("The project does not exist") },
      { quota: "CONTEXTS", count: queries.countContexts(projectId) },
    ],
    statements: [queries.insertContext({ ...context, projectId, createdAt: ctx.now() })],
    audit: [
      {
        action: "context.created",
        entityType: "context",
        entityId: queries.contextIdByKey(projectId, contextKey),
        projectId,
        after: context,
      },
    ],
    onDuplicate: duplicate,
  });
  const created = await queries.findContextByKey(ctx.db, projectId, contextKey);
  if (!created) throw missing();
  return created;
}

/**
 * Changes the name or the type of a context definition. The context key cannot change, because
 * constraints refer to it.
 * Throws: 400 for another context key, 404 for an unknown id, 409 if a stored value does not fit
 * the new type, 412 if `ifMatch` does not contain the current version.
 */
export async function updateContext(
  ctx: WriteContext,
  { id, ifMatch, ...change }: ByIdIfMatch & ChangeOf<ContextContent>,
): Promise<ContextRow> {
  const read = () => getContext(ctx, { id });
  await optimisticUpdate({
    ifMatch,
    read,
    write: async (row) => {
      const { name = row.name, contextKey = row.contextKey } = change;
      const { contextType = row.contextType } = change;
      if (contextKey !== row.contextKey)
        throw invalid([
          {
            field: "contextKey",
            message: "cannot be changed; send the current key or omit the field",
          },
        ]);
      const after = { name, contextKey, contextType };
      if (contextType !== row.contextType) await assertValuesFit(ctx, id, after);
      await ctx.commit({
        guards: [unchanged(contextDefinitions, row)],
        statements: [queries.updateContext(id, { name, contextType })],
        audit: [
          {
            action: "context.updated",
            entityType: "context",
            entityId: id,
            projectId: row.projectId,
            before: contentOf(row),
            after,
          },
        ],
      });
    },
  });
  return read();
}

/**
 * Deletes a context definition and its values. Constraints that use the context key do not change.
 * Throws: 404 for an unknown id.
 */
export async function deleteContext(ctx: WriteContext, { id }: ById): Promise<void> {
  await optimisticUpdate({
    read: () => getContext(ctx, { id }),
    write: async (row) => {
      const values = await listValues(ctx.db, id);
      await ctx.commit({
        guards: [unchanged(contextDefinitions, row)],
        statements: [queries.deleteContext(id)],
        audit: [
          {
            action: "context.deleted",
            entityType: "context",
            entityId: id,
            projectId: row.projectId,
            before: contentOf(row),
          },
          ...auditOfValues("context.values-deleted", row, differences(values, [])),
        ],
      });
    },
  });
}

async function assertValuesFit(
  { db }: ReadContext,
  id: number,
  after: ContextContent,
): Promise<void> {
  const values = (await listValues(db, id)).map(({ value }) => value);
  const [unfit] = unfitValues(after, values);
  if (unfit)
    throw conflict(
      `The context type cannot change to ${after.contextType}: the value ${JSON.stringify(values[unfit.index])} ${unfit.message}`,
    );
}
