import { conflict, invalid, notFound } from "../../core/errors/api-error.ts";
import type { Actor } from "@feature-flags/permissions/permissions";
import { contextDefinitions } from "../../db/schema/projects.ts";
import type { ManagementDeps } from "../deps.ts";
import { projectExists } from "../projects/queries.ts";
import { optimisticUpdate, unchanged } from "../optimistic-update.ts";
import { assertInScope, listedProject } from "../scope.ts";
import * as queries from "./queries.ts";
import type { ContextRow } from "./queries.ts";
import { listValues } from "./value-queries.ts";
import { auditOfValues, differences, unfitValues } from "./value-set.ts";

const missing = () => notFound("The context");
const duplicate = conflict("A context with this key exists in the project");
const content = ({ name, contextKey, contextType }: ContextRow) => ({
  name,
  contextKey,
  contextType,
});

/** Errors: 403 for a key of another project. */
export function listContexts(
  deps: ManagementDeps,
  actor: Actor,
  projectId: number | undefined,
): Promise<ContextRow[]> {
  return queries.listContexts(deps.db, listedProject(actor, projectId));
}

/** Errors: 404, 403 for a key of another project. */
export async function getContext(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
): Promise<ContextRow> {
  const context = await queries.findContext(deps.db, id);
  if (!context) throw missing();
  assertInScope(actor, context.projectId);
  return context;
}

/** Errors: 404 for the project, 409 for a context key in use, 402 over the quota. */
export async function createContext(
  deps: ManagementDeps,
  actor: Actor,
  input: {
    readonly name: string;
    readonly contextKey: string;
    readonly contextType: string;
    readonly projectId: number;
  },
): Promise<ContextRow> {
  const { name, contextKey, contextType, projectId } = input;
  const context = { name, contextKey, contextType };
  await deps.commit(actor, {
    guards: [
      { holds: projectExists(projectId), error: notFound("The project") },
      { quota: "CONTEXTS", count: queries.countContexts(projectId) },
    ],
    statements: [queries.insertContext({ ...context, projectId, createdAt: deps.now() })],
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
  const created = await queries.findContextByKey(deps.db, projectId, contextKey);
  if (!created) throw missing();
  return created;
}

/**
 * The key stays: constraints name it. Errors: 400 for another key, 404, 412, and 409 for a type
 * that cannot read the values that are there.
 */
export async function updateContext(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
  input: {
    readonly name?: string | undefined;
    readonly contextKey?: string | undefined;
    readonly contextType?: string | undefined;
  },
  ifMatch: readonly number[] | undefined,
): Promise<ContextRow> {
  const read = () => getContext(deps, actor, id);
  await optimisticUpdate({
    ifMatch,
    read,
    write: async (row) => {
      const { name = row.name, contextKey = row.contextKey, contextType = row.contextType } = input;
      if (contextKey !== row.contextKey)
        throw invalid([{ field: "contextKey", message: "cannot be changed" }]);
      const after = { name, contextKey, contextType };
      if (contextType !== row.contextType) await assertReadable(deps, id, after);
      await deps.commit(actor, {
        guards: [unchanged(contextDefinitions, row)],
        statements: [queries.updateContext(id, { name, contextType })],
        audit: [
          {
            action: "context.updated",
            entityType: "context",
            entityId: id,
            projectId: row.projectId,
            before: content(row),
            after,
          },
        ],
      });
    },
  });
  return read();
}

/** Its values go with it; the constraints that name its key stay. Errors: 404. */
export async function deleteContext(deps: ManagementDeps, actor: Actor, id: number): Promise<void> {
  const read = () => getContext(deps, actor, id);
  await optimisticUpdate({
    read,
    write: async (row) => {
      const values = await listValues(deps.db, id);
      await deps.commit(actor, {
        guards: [unchanged(contextDefinitions, row)],
        statements: [queries.deleteContext(id)],
        audit: [
          {
            action: "context.deleted",
            entityType: "context",
            entityId: id,
            projectId: row.projectId,
            before: content(row),
          },
          ...auditOfValues("context.values-deleted", row, differences(values, [])),
        ],
      });
    },
  });
}

async function assertReadable(
  deps: ManagementDeps,
  id: number,
  after: Pick<ContextRow, "contextKey" | "contextType">,
): Promise<void> {
  const values = (await listValues(deps.db, id)).map(({ value }) => value);
  const [unfit] = unfitValues(after, values);
  if (unfit)
    throw conflict(
      `As ${after.contextType}, the value ${JSON.stringify(values[unfit.index])} ${unfit.message}`,
    );
}
