import type { Actor } from "@feature-flags/permissions/permissions";
import { SERVICE_ENTITIES } from "@feature-flags/permissions/service-entities";
import type { SQLWrapper } from "drizzle-orm";
import type { ReadDb } from "../../db/database.ts";
import { inList } from "../../db/json-list.ts";
import { type Page, type PageRequest, toPage } from "../../http/paging.ts";
import { type Call, reads } from "../../access/call.ts";
import type { Listed } from "../../db/project-filter.ts";
import { readFitting } from "../../db/list-bytes.ts";
import { listedProjects } from "../../access/scope.ts";
import * as queries from "../../model/audit/queries.ts";
import type { AuditFilter, ListedRecord } from "../../model/audit/queries.ts";
import { type RelatedName, relatedNames } from "./related.ts";
import { type Visibility, visibilityOf } from "../../access/audit-visibility.ts";

interface AuditRequest
  extends Omit<AuditFilter, "withoutSecurity" | "hidden" | "only">, PageRequest {
  /** Whether the page has the names of the rows to which its records refer. */
  readonly related?: boolean | undefined;
  readonly q?: string | undefined;
}

export interface AuditPage extends Page<ListedRecord> {
  readonly related?: RelatedName[];
  /**
   * The time of the oldest record in which the text was searched, epoch milliseconds. Absent if the
   * text was searched in all records that match the filters.
   */
  readonly searchedSince?: number;
}

/**
 * Returns one page of the audit records that the caller may see.
 * Throws: 403 if the caller is an API key of another project, 400 for a page that is too large.
 */
export async function listAudit(
  call: Call,
  { related, q, ...request }: AuditRequest,
): Promise<AuditPage> {
  const ctx = reads(call, "audit:read");
  const visibility = visibilityOf(ctx.actor);
  const filter: AuditFilter = {
    ...request,
    ...listedIn(ctx.actor, request, visibility),
    withoutSecurity: visibility.security ? undefined : SERVICE_ENTITIES,
  };
  const page =
    q === undefined
      ? await newestPage(ctx.db, filter, request)
      : await foundPage(ctx.db, filter, request, { text: q, people: visibility.people });
  return {
    ...page,
    ...(related === true && { related: await relatedNames(ctx.db, page.items) }),
  };
}

async function newestPage(
  db: ReadDb,
  filter: AuditFilter,
  request: PageRequest,
): Promise<AuditPage> {
  const { page, size } = request;
  const [items, [total]] = await Promise.all([
    recordsOf(db, queries.idsOnPage(db, filter, size, page * size), request),
    queries.countAudit(db, filter),
  ]);
  return toPage(items, request, total?.count ?? 0);
}

/** The number of records that always fit into a list: each has at most 32 KB. */
const ALWAYS_FIT = 90;

/**
 * Returns the records with the ids of a page. Throws: 400 if they are too large together, which is
 * checked only if it is possible, because the check searches the ids again.
 */
const recordsOf = (db: ReadDb, ids: SQLWrapper, { size }: PageRequest): Promise<ListedRecord[]> =>
  size <= ALWAYS_FIT
    ? queries.listRecords(db, ids)
    : readFitting(
        db,
        { bytes: queries.recordBytes(ids), advice: "ask for a smaller size" },
        (condition) => queries.listRecords(db, ids, condition),
      );

/** Returns a page of the records that contain a text. */
async function foundPage(
  db: ReadDb,
  filter: AuditFilter,
  request: PageRequest,
  search: queries.AuditSearch,
): Promise<AuditPage> {
  const { page, size } = request;
  const [found] = await queries.searchAudit(db, filter, search);
  const { ids, searched, since } = found ?? { ids: [], searched: 0, since: null };
  const items = await recordsOf(db, inList(ids.slice(page * size, (page + 1) * size)), request);
  return {
    ...toPage(items, request, ids.length),
    ...(searched === queries.MAX_SEARCHED && since !== null && { searchedSince: since }),
  };
}

/**
 * Returns the projects that the list is limited to. When an administrator lists records that belong to no
 * project, the list is not limited to the session's project, which would hide these records.
 */
function listedIn(
  actor: Actor,
  { projectId, category, entityType }: AuditRequest,
  { security }: Visibility,
): Listed {
  const ofService =
    category === "security" || (entityType !== undefined && SERVICE_ENTITIES.includes(entityType));
  if (security && ofService) return { projectId, hidden: [], only: undefined };
  return listedProjects(actor, projectId);
}
