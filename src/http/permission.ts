import { ApiError } from "../core/errors/api-error.ts";
import {
  type Actor,
  allows,
  allowsSomewhere,
  type Permission,
} from "@feature-flags/permissions/permissions";

/**
 * Checks that the actor has the permission in a project, or in the organisation if `projectId` is
 * null. Undefined: the project is not known yet, and the permission in any project suffices.
 * Throws: 403 if the actor does not have the permission, or has missed the deadline for a required
 * second factor and wants more than their own account.
 */
export function assertAllowed(
  actor: Actor,
  permission: Permission,
  projectId?: number | null,
): void {
  if (actor.kind === "user" && actor.mfaOverdue && permission !== "session:own")
    throw new ApiError(
      "FORBIDDEN",
      "A second factor is required; set one up with POST /api/v1/auth/mfa/enroll",
    );
  const isAllowed =
    projectId === undefined
      ? allowsSomewhere(actor, permission)
      : allows(actor, permission, projectId ?? undefined);
  if (!isAllowed)
    throw new ApiError(
      "FORBIDDEN",
      `The request needs the permission ${permission}${hint(actor, permission)}`,
    );
}

/** Says it of an API key that only `canWrite: false` keeps from the permission. */
const hint = (actor: Actor, permission: Permission): string =>
  actor.kind === "key" && allows({ ...actor, canWrite: true }, permission)
    ? "; the API key can only read"
    : "";
