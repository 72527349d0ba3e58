import type { Actor } from "@feature-flags/permissions/permissions";
import { type Page, type PageRequest, toPage } from "../../http/paging.ts";
import { authorized, type Call } from "../context.ts";
import { listedProject } from "../scope.ts";
import * as queries from "./queries.ts";
import type { AuditFilter, AuditRow } from "./queries.ts";
import { type RelatedName, relatedNames } from "./related.ts";
import { SERVICE_ENTITIES, type Visibility, visibilityOf } from "./visibility.ts";

interface AuditRequest extends Omit<AuditFilter, "withoutSecurity">, PageRequest {
  /** Whether the page has the names of the rows to which its records refer. */
  readonly related?: boolean | undefined;
}

interface AuditPage extends Page<AuditRow> {
  readonly related?: RelatedName[];
}

/**
 * Returns one page of the audit records that the caller may see.
 * Throws: 403 if the caller is an API key of another project.
 */
export async function listAudit(
  call: Call,
  { related, ...request }: AuditRequest,
): Promise<AuditPage> {
  const ctx = authorized(call, "audit:read");
  const visibility = visibilityOf(ctx.actor);
  const filter: AuditFilter = {
    ...request,
    projectId: projectOf(ctx.actor, request, visibility),
    withoutSecurity: visibility.security ? undefined : SERVICE_ENTITIES,
  };
  const { page, size } = request;
  const [items, [total]] = await Promise.all([
    queries.listAudit(ctx.db, filter, size, page * size),
    queries.countAudit(ctx.db, filter),
  ]);
  return {
    ...toPage(items, request, total?.count ?? 0),
    ...(related === true && { related: await relatedNames(ctx.db, items) }),
  };
}

/**
 * Returns the project that the list is limited to; undefined means all projects. When an
 * administrator lists records that belong to no project, the list is not limited to the session's
 * project, which would hide these records.
 */
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
