import { actorName } from "../../db/audit.ts";
import { closeInEnvironment } from "../../model/change-requests/queries.ts";
import { conflict, notFound } from "../../core/errors/api-error.ts";
import { environments } from "../../db/schema/projects.ts";
import { type Call, type Reading, reads, writes } from "../../access/call.ts";
import type { ById, ByIdIfMatch, ListInProject } from "../../core/lib/input.ts";
import { optimisticUpdate, unchanged } from "../../model/optimistic-update.ts";
import { projectExists, someProjectIds } from "../../model/projects/queries.ts";
import {
  visibleTo,
  inScope,
  listedProjects,
  projectOfNew,
  unknownProject,
} from "../../access/scope.ts";
import { isUnprotected } from "../../model/environments/protection-queries.ts";
import * as queries from "../../model/environments/queries.ts";
import type {
  EnvironmentContent,
  ListedEnvironment,
  MeasuredEnvironment,
} from "../../model/environments/queries.ts";

const environmentContent = ({ name, production }: EnvironmentContent): EnvironmentContent => ({
  name,
  production,
});

const scopeOf = ({ id, projectId }: MeasuredEnvironment) => ({ projectId, environmentId: id });

const missing = () => notFound("The environment does not exist");
const duplicate = conflict("An environment with this name exists in the project");
const isProtected = conflict(
  "The environment is protected; set requiredApprovals of its protection to 0 first",
);
const keysLeft = conflict("The environment still has API keys; revoke them first");

/**
 * Returns the environments of one project or of all projects (see `listedProjects`). Throws: 403 for
 * an API key of another project.
 */
export function listEnvironments(
  call: Call,
  { projectId, counts = false }: ListInProject,
): Promise<ListedEnvironment[]> {
  const { db, actor } = reads(call, "environment:read");
  return queries.listEnvironments(db, listedProjects(actor, projectId), counts);
}

/** Returns an environment. Throws: 404 for an unknown id, 403 for an API key of another project. */
export const getEnvironment = (call: Call, { id }: ById): Promise<MeasuredEnvironment> =>
  find(reads(call, "environment:read"), id);

const find = async (ctx: Reading, id: number): Promise<MeasuredEnvironment> =>
  inScope(ctx, await queries.findMeasuredEnvironment(ctx.db, id), missing());

/**
 * Creates an environment. Throws: 400 if `projectOfNew` finds no project, 404 for an unknown project, 409 if
 * the name is in use, 402 if the quota of environments is used up.
 */
export async function createEnvironment(
  call: Call,
  input: EnvironmentContent & { readonly projectId?: number | undefined },
): Promise<MeasuredEnvironment> {
  const { db, actor } = reads(call, "environment:write");
  const content = environmentContent(input);
  const { name } = content;
  const projectId = projectOfNew(
    actor,
    input.projectId,
    await someProjectIds(db, visibleTo(actor)),
  );
  const ctx = writes(call, "environment:write", { projectId });
  const now = ctx.now();
  await ctx.commit({
    guards: [
      { holds: projectExists(projectId), error: unknownProject() },
      { quota: "ENVIRONMENTS", count: queries.countEnvironments(projectId) },
    ],
    statements: [
      queries.insertEnvironment({
        projectId,
        ...content,
        changedAt: now,
        createdAt: now,
        updatedAt: now,
      }),
      queries.recordEveryRule(projectId, name),
    ],
    audit: [
      {
        action: "environment.created",
        entityType: "environment",
        entityId: queries.environmentIdByName(projectId, name),
        projectId,
        environmentId: queries.environmentIdByName(projectId, name),
        after: content,
      },
    ],
    onDuplicate: duplicate,
  });
  const created = await queries.findEnvironmentByName(ctx.db, projectId, name);
  if (!created) throw missing();
  return created;
}

interface UpdateEnvironment extends ByIdIfMatch {
  readonly name?: string | undefined;
  readonly production?: boolean | undefined;
}

/**
 * Updates an environment. A field that is undefined stays as it was. Throws: 404 for an unknown id,
 * 409 if the project already has an environment with the name, 412 if `ifMatch` does not
 * contain the current version.
 */
export async function updateEnvironment(
  call: Call,
  { id, ifMatch, name, production }: UpdateEnvironment,
): Promise<MeasuredEnvironment> {
  const ctx = reads(call, "environment:write");
  const read = () => find(ctx, id);
  await optimisticUpdate({
    ifMatch,
    read,
    write: (row) => {
      const content = { name: name ?? row.name, production: production ?? row.production };
      return writes(call, "environment:write", scopeOf(row)).commit({
        guards: [unchanged(environments, row)],
        statements: [queries.updateEnvironment(id, content, ctx.now())],
        audit: [
          {
            action: "environment.updated",
            entityType: "environment",
            entityId: id,
            projectId: row.projectId,
            environmentId: id,
            before: environmentContent(row),
            after: content,
          },
        ],
        onDuplicate: duplicate,
      });
    },
  });
  return read();
}

/**
 * Deletes an environment and everything in it, such as its strategies. Throws: 404 for an unknown id, 409
 * while the environment has API keys or is protected, 412 if `ifMatch` does not contain the current version.
 */
export async function deleteEnvironment(call: Call, { id, ifMatch }: ByIdIfMatch): Promise<void> {
  const ctx = reads(call, "environment:write");
  await optimisticUpdate({
    ifMatch,
    read: () => find(ctx, id),
    write: (row) =>
      writes(call, "environment:write", scopeOf(row)).commit({
        guards: [
          { holds: queries.environmentHasNoKeys(id), error: keysLeft },
          { holds: isUnprotected(id), error: isProtected },
          unchanged(environments, row),
        ],
        statements: [
          closeInEnvironment(
            id,
            {
              name: actorName(call.actor),
              userId: call.actor.kind === "user" ? call.actor.id : null,
            },
            ctx.now(),
          ),
          queries.deleteUsageHours(row),
          queries.deleteEnvironment(id),
        ],
        deletes: { environmentIds: [id] },
        audit: [
          {
            action: "environment.deleted",
            entityType: "environment",
            entityId: id,
            projectId: row.projectId,
            environmentId: id,
            before: environmentContent(row),
          },
        ],
        onForeignKey: keysLeft,
      }),
  });
}
