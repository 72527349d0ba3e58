import { ApiError, type FieldError, invalid } from "../core/errors/api-error.ts";
import type { Actor } from "@feature-flags/permissions/permissions";

/** Throws: 403 if the caller is an API key of another project (docs/decisions.md, 3.2). */
export function assertInScope(actor: Actor, projectId: number): void {
  if (actor.kind === "key" && actor.projectId !== projectId)
    throw new ApiError("FORBIDDEN", "The API key belongs to another project");
}

/** Throws: 403 if the caller is an API key of another environment. */
export function assertInEnvironment(actor: Actor, environmentId: number): void {
  if (actor.kind === "key" && actor.environmentId !== environmentId)
    throw new ApiError("FORBIDDEN", "The API key belongs to another environment");
}

/**
 * Returns the project whose rows a list contains: the requested project, or else the project of the
 * session or API key. Undefined: all projects. Throws: 403 for an API key of another project.
 */
export function listedProject(actor: Actor, asked: number | undefined): number | undefined {
  if (asked !== undefined) assertInScope(actor, asked);
  return asked ?? actor.projectId;
}

/**
 * Returns the project of a new row: the requested project, or else the project of the session or
 * API key, or else the only project that exists.
 * Throws: 400 if none of these three exists.
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
