import { allows, isHidden } from "@feature-flags/permissions/permissions";
import { notFound } from "../../core/errors/api-error.ts";
import { assertAllowed } from "../../http/permission.ts";
import { assertInProject, type Permitted } from "../../access/scope.ts";
import type { ServiceAccountRow } from "../../model/service-accounts/queries.ts";

export const missing = () => notFound("The service account does not exist");

/**
 * Whether the actor has its permission for a service account: in the project of the account, or in the
 * organisation.
 */
export const isManageable = (
  { actor, permission }: Permitted,
  { projectId }: Pick<ServiceAccountRow, "projectId">,
): boolean =>
  projectId === null
    ? allows(actor, permission)
    : !isHidden(actor, projectId) && allows(actor, permission, projectId);

/**
 * Returns a service account that was read by its id, if the actor has its permission there: in the
 * project of the account, or in the organisation.
 * Throws: 404 for an unknown id and for an account of a hidden project, 403 without the permission.
 */
export function manageable(ctx: Permitted, row: ServiceAccountRow | undefined): ServiceAccountRow {
  if (!row) throw missing();
  if (row.projectId === null) assertAllowed(ctx.actor, ctx.permission, null);
  else assertInProject(ctx, row.projectId, missing());
  return row;
}
