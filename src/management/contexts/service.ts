import { notFound } from "../../core/errors/api-error.ts";
import { contextDefinitions as definitions } from "../../db/schema/projects.ts";
import { type Call, reads } from "../../access/call.ts";
import type { ById, ByIdIfMatch, ChangeOf, ListInProject } from "../../core/lib/input.ts";
import type { ContextContent } from "../../changes/plan/content.ts";
import { isListed } from "../../db/project-filter.ts";
import { expectAllFit } from "../../db/list-bytes.ts";
import { execute } from "../../changes/execute.ts";
import { writtenRow } from "../../changes/written-row.ts";
import { inScope, listedProjects } from "../../access/scope.ts";
import * as queries from "../../model/contexts/queries.ts";
import type { ContextRow, ListedContext } from "../../model/contexts/queries.ts";

/**
 * Returns the context definitions of one project or of all projects (see `listedProjects`). Throws:
 * 403 for an API key of another project, 400 if the definitions of all projects are too many.
 */
export async function listContexts(
  call: Call,
  { projectId, counts = false }: ListInProject,
): Promise<ListedContext[]> {
  const { db, actor } = reads(call, "context:read");
  const listed = listedProjects(actor, projectId);
  if (listed.projectId === undefined)
    await expectAllFit(db, definitions, {
      texts: [definitions.name, definitions.contextKey],
      where: isListed(definitions.projectId, listed),
    });
  return queries.listContexts(db, listed, counts);
}

/** Returns a context definition. Throws: 404 for an unknown id, 403 for an API key of another project. */
export async function getContext(call: Call, { id }: ById): Promise<ContextRow> {
  const ctx = reads(call, "context:read");
  return inScope(
    ctx,
    await queries.findContext(ctx.db, id),
    notFound("The context does not exist"),
  );
}

/**
 * Creates a context definition. Throws: 404 for an unknown project, 409 if the project already has
 * the context key, 402 if the quota of context definitions is used up.
 */
export async function createContext(
  call: Call,
  { projectId, ...input }: ContextContent & { readonly projectId: number },
): Promise<ContextRow> {
  const { work } = await execute(call, [{ kind: "context.create", target: { projectId }, input }]);
  return writtenRow(work.contexts, ({ contextKey }) => contextKey === input.contextKey);
}

/**
 * Changes the name or the type of a context definition. The context key cannot change, because constraints
 * refer to it. Throws: 400 for another context key, 404 for an unknown id, 409 if a stored value does not fit
 * the new type, 412 if `ifMatch` does not contain the current version.
 */
export async function updateContext(
  call: Call,
  { id, ifMatch, ...input }: ByIdIfMatch & ChangeOf<ContextContent>,
): Promise<ContextRow> {
  const { work } = await execute(call, [
    { kind: "context.update", target: { id }, ifMatch, input },
  ]);
  return writtenRow(work.contexts, (row) => row.id === id);
}

/**
 * Deletes a context definition and its values. Constraints that use the context key do not change.
 * Throws: 404 for an unknown id.
 */
export async function deleteContext(call: Call, { id }: ById): Promise<void> {
  await execute(call, [{ kind: "context.delete", target: { id }, input: undefined }]);
}
