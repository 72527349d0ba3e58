import {
  type Actor,
  isHidden,
  onlyProjects,
  type Permission,
  tokenOf,
} from "@feature-flags/permissions/permissions";
import { ApiError, type FieldError, invalid, notFound } from "../core/errors/api-error.ts";
import { assertAllowed } from "../http/permission.ts";
import type { Listed, Visible } from "../db/project-filter.ts";

/** An actor with a permission: a part of what `reads` and `writes` return. */
export interface Permitted {
  readonly actor: Actor;
  readonly permission: Permission;
}

export const unknownProject = () => notFound("The project does not exist");

/** Throws: 403 if the caller is an API key of another project (docs/build/decisions.md, 3.2). */
function assertProjectOfKey(actor: Actor, projectId: number): void {
  if (actor.kind === "key" && actor.projectId !== projectId)
    throw new ApiError("FORBIDDEN", "The API key belongs to another project");
}

/** Throws: 403 if the caller is an API key of another environment, or a token that does not list it. */
export function assertInEnvironment(actor: Actor, environmentId: number): void {
  if (actor.kind === "key" && actor.environmentId !== environmentId)
    throw new ApiError("FORBIDDEN", "The API key belongs to another environment");
  if (tokenOf(actor)?.environmentIds?.includes(environmentId) === false)
    throw outsideEnvironments();
}

/**
 * Returns the only environments in which the actor writes: that of an API key, or those of a limited
 * token. Undefined: the actor is not limited to environments.
 */
export const onlyEnvironments = (actor: Actor): readonly number[] | undefined =>
  actor.kind === "key" ? [actor.environmentId] : (tokenOf(actor)?.environmentIds ?? undefined);

/** The error of a write that a token that is limited to environments does not cover. */
export const outsideEnvironments = () =>
  new ApiError("FORBIDDEN", "The token writes only strategies in its environments and new flags");

/**
 * Checks that the actor has the permission in a project. `missing`: the error for a project whose
 * existence is hidden from the actor, which is the one for an unknown id.
 * Throws: `missing`; 403 without the permission, and for an API key of another project.
 */
export function assertInProject(
  { actor, permission }: Permitted,
  projectId: number,
  missing: ApiError,
): void {
  if (isHidden(actor, projectId)) throw missing;
  assertAllowed(actor, permission, projectId);
  assertProjectOfKey(actor, projectId);
}

/**
 * Returns a row that was read by its id, if the actor has the permission in the project of the row.
 * `missing`: the error for an unknown id, and for a row of a project whose existence is hidden from
 * the actor.
 * Throws: `missing`; 403 without the permission, and for an API key of another project.
 */
export function inScope<Row extends { readonly projectId: number }>(
  ctx: Permitted,
  row: Row | undefined,
  missing: ApiError,
): Row {
  if (!row) throw missing;
  assertInProject(ctx, row.projectId, missing);
  return row;
}

/** The id of no project, because ids start at 1. */
const NO_PROJECT = 0;

/**
 * Returns the id of a requested project; that of no project if its existence is hidden from the actor.
 * Throws: 403 for an API key of another project.
 */
export function visibleProject(actor: Actor, projectId: number): number {
  assertProjectOfKey(actor, projectId);
  return isHidden(actor, projectId) ? NO_PROJECT : projectId;
}

/** Returns the projects that the actor sees, apart from the project of an API key. */
export const visibleTo = (actor: Actor): Visible => ({
  hidden: "hiddenProjects" in actor ? [...actor.hiddenProjects] : [],
  only: onlyProjects(actor),
});

/**
 * Returns the projects whose rows a list contains: the requested project, or else the project of the
 * session or API key, or else all that the actor may see. A project whose existence is hidden from
 * the actor is the same as an unknown one. Throws: 403 for an API key of another project.
 */
export function listedProjects(actor: Actor, asked: number | undefined): Listed {
  const projectId = asked ?? actor.projectId;
  return projectId === undefined
    ? { projectId, ...visibleTo(actor) }
    : { projectId: visibleProject(actor, projectId), hidden: [], only: undefined };
}

/**
 * Returns the project of a new row: the requested project, or else the project of the session or API key, or
 * else the only project that exists. Throws: 400 if none of these three exists.
 */
export function projectOfNew(
  actor: Actor,
  named: number | undefined,
  existing: readonly number[],
): number {
  const only = existing.length === 1 ? existing[0] : undefined;
  const projectId = named ?? actor.projectId ?? only;
  if (projectId !== undefined) return projectId;
  const fieldError: FieldError = {
    field: "projectId",
    message: "is required, because no project is selected",
  };
  throw invalid([fieldError]);
}
