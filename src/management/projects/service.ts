import { conflict, notFound } from "../../core/errors/api-error.ts";
import type { Actor } from "@feature-flags/permissions/permissions";
import { projectFlagsDeletedEvents } from "../../db/outbox.ts";
import { projects } from "../../db/schema/projects.ts";
import type { ManagementDeps } from "../deps.ts";
import { retireIntegrations } from "../integrations/queries.ts";
import { belowQuota, revise, unchanged } from "../revise.ts";
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
    guards: [belowQuota(queries.countProjects, deps.quotas.PROJECTS, "projects")],
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
  demanded: readonly number[] | undefined,
): Promise<ProjectRow> {
  const read = () => getProject(deps, actor, id);
  await revise(demanded, read, (row, otherwise) => {
    const { name = row.name, description = row.description } = input;
    return deps.commit(actor, {
      guards: [unchanged(projects, row, otherwise)],
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
  });
  return read();
}

/** Everything in the project goes with it. Errors: 404, 409 while it has API keys, 412. */
export async function deleteProject(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
  demanded: readonly number[] | undefined,
): Promise<void> {
  const read = () => getProject(deps, actor, id);
  const { request, quotas, webhooks } = deps;
  await revise(demanded, read, (project, otherwise) => {
    const now = deps.now();
    return deps.commit(actor, {
      guards: [
        { holds: queries.projectHasNoKeys(id), otherwise: keysLeft },
        unchanged(projects, project, otherwise),
      ],
      statements: [
        ...projectFlagsDeletedEvents({ actor, ...request }, now, id, quotas.WEBHOOK_DELIVERIES),
        // After the events, of which they still hear.
        retireIntegrations(id, now),
        queries.deleteProject(id),
      ],
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
  });
  webhooks.relay();
}
