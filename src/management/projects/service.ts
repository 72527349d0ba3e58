import { conflict, notFound } from "../../core/errors/api-error.ts";
import type { Actor } from "@feature-flags/permissions/permissions";
import { projects } from "../../db/schema/projects.ts";
import type { ManagementDeps } from "../deps.ts";
import { retireIntegrations } from "../integrations/queries.ts";
import { optimisticUpdate, unchanged } from "../optimistic-update.ts";
import { assertInScope } from "../scope.ts";
import * as queries from "./queries.ts";
import type { ProjectRow } from "./queries.ts";

const missing = () => notFound("The project");
const duplicate = conflict("A project with this name exists");
const keysLeft = conflict("The project still has API keys; revoke them first");

export function listProjects(deps: ManagementDeps, actor: Actor): Promise<ProjectRow[]> {
  return queries.listProjects(deps.db, actor.kind === "key" ? actor.projectId : undefined);
}

/** Errors: 404. */
export async function getProject(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
): Promise<ProjectRow> {
  const project = await queries.findProject(deps.db, id);
  if (!project) throw missing();
  assertInScope(actor, project.id);
  return project;
}

/** Errors: 409 for a name in use, 402 over the quota. */
export async function createProject(
  deps: ManagementDeps,
  actor: Actor,
  input: { readonly name: string; readonly description?: string | null | undefined },
): Promise<ProjectRow> {
  const now = deps.now();
  const project = { name: input.name, description: input.description ?? null };
  const id = queries.projectIdByName(input.name);
  await deps.commit(actor, {
    guards: [{ quota: "PROJECTS", count: queries.countProjects }],
    statements: [queries.insertProject({ ...project, createdAt: now, updatedAt: now })],
    audit: [
      {
        action: "project.created",
        entityType: "project",
        entityId: id,
        projectId: id,
        after: project,
      },
    ],
    onDuplicate: duplicate,
  });
  const created = await queries.findProjectByName(deps.db, input.name);
  if (!created) throw missing();
  return created;
}

/** Errors: 404, 409 for a name in use, 412. */
export async function updateProject(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
  input: { readonly name?: string | undefined; readonly description?: string | null | undefined },
  ifMatch: readonly number[] | undefined,
): Promise<ProjectRow> {
  const read = () => getProject(deps, actor, id);
  await optimisticUpdate({
    ifMatch,
    read,
    write: (row) => {
      const { name = row.name, description = row.description } = input;
      return deps.commit(actor, {
        guards: [unchanged(projects, row)],
        statements: [queries.updateProject(id, { name, description, updatedAt: deps.now() })],
        audit: [
          {
            action: "project.updated",
            entityType: "project",
            entityId: id,
            projectId: id,
            before: { name: row.name, description: row.description },
            after: { name, description },
          },
        ],
        onDuplicate: duplicate,
      });
    },
  });
  return read();
}

/** Everything in the project goes with it. Errors: 404, 409 while it has API keys, 412. */
export async function deleteProject(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
  ifMatch: readonly number[] | undefined,
): Promise<void> {
  const read = () => getProject(deps, actor, id);
  await optimisticUpdate({
    ifMatch,
    read,
    write: (project) => {
      return deps.commit(actor, {
        guards: [
          { holds: queries.projectHasNoKeys(id), error: keysLeft },
          unchanged(projects, project),
        ],
        statements: [retireIntegrations(id, deps.now()), queries.deleteProject(id)],
        deletesProject: id,
        audit: [
          {
            action: "project.deleted",
            entityType: "project",
            entityId: id,
            projectId: id,
            before: { name: project.name, description: project.description },
          },
        ],
        onForeignKey: keysLeft,
      });
    },
  });
}
