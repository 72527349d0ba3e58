import type { Actor } from "@feature-flags/permissions/permissions";
import { type Page, type PageRequest, toPage } from "../../http/paging.ts";
import type { ManagementDeps } from "../deps.ts";
import { listedProject } from "../scope.ts";
import * as queries from "./queries.ts";
import type { AuditFilter, AuditRow } from "./queries.ts";
import { SERVICE_ENTITIES, type Visibility, visibilityOf } from "./visibility.ts";

type AuditRequest = Omit<AuditFilter, "withoutSecurity"> & PageRequest;

/** What the caller may see of the trail, newest first. Errors: 403 for a key of another project. */
export async function listAudit(
  deps: ManagementDeps,
  actor: Actor,
  request: AuditRequest,
): Promise<Page<AuditRow>> {
  const visibility = visibilityOf(actor);
  const filter: AuditFilter = {
    ...request,
    projectId: projectOf(actor, request, visibility),
    withoutSecurity: visibility.security ? undefined : SERVICE_ENTITIES,
  };
  const { page, size } = request;
  const [items, [total]] = await Promise.all([
    queries.listAudit(deps.db, filter, size, page * size),
    queries.countAudit(deps.db, filter),
  ]);
  return toPage(items, request, total?.count ?? 0);
}

/** What belongs to no project is not hidden by the project that the session has selected. */
function projectOf(
  actor: Actor,
  { projectId, category, entityType }: AuditRequest,
  { security }: Visibility,
): number | undefined {
  const ofService =
    category === "security" || (entityType !== undefined && SERVICE_ENTITIES.includes(entityType));
  if (security && ofService) return projectId;
  return listedProject(actor, projectId);
}
