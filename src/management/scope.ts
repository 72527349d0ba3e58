import { ApiError, type FieldError, invalid } from "../core/errors/api-error.ts";
import type { Actor } from "@feature-flags/permissions/permissions";

/** A key sees its own project alone (decisions 3.2). Errors: 403. */
export function assertInScope(actor: Actor, projectId: number): void {
  if (actor.kind === "key" && actor.projectId !== projectId)
    throw new ApiError("FORBIDDEN", "The key belongs to another project");
}

/** The project a list is about: the one asked for, else the session's; undefined: all of them. */
export function listedProject(actor: Actor, asked: number | undefined): number | undefined {
  if (asked !== undefined) assertInScope(actor, asked);
  return asked ?? actor.projectId;
}

/** The project of something new: the one named, else the session's, else the only one there is. */
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
    message: "is required, as no project is selected",
  };
  throw invalid([fieldError]);
}
