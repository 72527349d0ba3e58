import { conflict, notFound } from "../../core/errors/api-error.ts";
import type { Actor } from "@feature-flags/permissions/permissions";
import { environments } from "../../db/schema/projects.ts";
import type { ManagementDeps } from "../deps.ts";
import { projectExists, someProjectIds } from "../projects/queries.ts";
import { optimisticUpdate, unchanged } from "../optimistic-update.ts";
import { assertInScope, listedProject, projectOfNew } from "../scope.ts";
import * as queries from "./queries.ts";
import type { EnvironmentRow } from "./queries.ts";

const missing = () => notFound("The environment");
const duplicate = conflict("An environment with this name exists in the project");
const keysLeft = conflict("The environment still has API keys; revoke them first");

/** Errors: 403 for a key of another project. */
export function listEnvironments(
  deps: ManagementDeps,
  actor: Actor,
  projectId: number | undefined,
): Promise<EnvironmentRow[]> {
  return queries.listEnvironments(deps.db, listedProject(actor, projectId));
}

/** Errors: 404, 403 for a key of another project. */
export async function getEnvironment(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
): Promise<EnvironmentRow> {
  const environment = await queries.findEnvironment(deps.db, id);
  if (!environment) throw missing();
  assertInScope(actor, environment.projectId);
  return environment;
}

/** Errors: 404 for the project, 409 for a name in use, 402 over the quota. */
export async function createEnvironment(
  deps: ManagementDeps,
  actor: Actor,
  input: { readonly name: string; readonly projectId?: number | undefined },
): Promise<EnvironmentRow> {
  const projectId = projectOfNew(actor, input.projectId, await someProjectIds(deps.db));
  const { name } = input;
  const now = deps.now();
  const count = queries.countEnvironments(projectId);
  await deps.commit(actor, {
    guards: [
      { holds: projectExists(projectId), error: notFound("The project") },
      { quota: "ENVIRONMENTS", count: count },
    ],
    statements: [
      queries.insertEnvironment({
        projectId,
        name,
        changedAt: now,
        createdAt: now,
        updatedAt: now,
      }),
      queries.announceRules(projectId, name),
    ],
    audit: [
      {
        action: "environment.created",
        entityType: "environment",
        entityId: queries.environmentIdByName(projectId, name),
        projectId,
        environmentId: queries.environmentIdByName(projectId, name),
        after: { name },
      },
    ],
    onDuplicate: duplicate,
  });
  const created = await queries.findEnvironmentByName(deps.db, projectId, name);
  if (!created) throw missing();
  return created;
}

/** Errors: 404, 409 for a name in use, 412. */
export async function renameEnvironment(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
  name: string,
  ifMatch: readonly number[] | undefined,
): Promise<EnvironmentRow> {
  const read = () => getEnvironment(deps, actor, id);
  await optimisticUpdate({
    ifMatch,
    read,
    write: (row) =>
      deps.commit(actor, {
        guards: [unchanged(environments, row)],
        statements: [queries.renameEnvironment(id, name, deps.now())],
        audit: [
          {
            action: "environment.updated",
            entityType: "environment",
            entityId: id,
            projectId: row.projectId,
            environmentId: id,
            before: { name: row.name },
            after: { name },
          },
        ],
        onDuplicate: duplicate,
      }),
  });
  return read();
}

/** Its strategies go with it. Errors: 404, 409 while it has API keys, 412. */
export async function deleteEnvironment(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
  ifMatch: readonly number[] | undefined,
): Promise<void> {
  const read = () => getEnvironment(deps, actor, id);
  await optimisticUpdate({
    ifMatch,
    read,
    write: (row) =>
      deps.commit(actor, {
        guards: [
          { holds: queries.environmentHasNoKeys(id), error: keysLeft },
          unchanged(environments, row),
        ],
        statements: [queries.deleteEnvironment(id)],
        audit: [
          {
            action: "environment.deleted",
            entityType: "environment",
            entityId: id,
            projectId: row.projectId,
            environmentId: id,
            before: { name: row.name },
          },
        ],
        onForeignKey: keysLeft,
      }),
  });
}
