import type { PageRequest } from "../../http/paging.ts";
import { type Call, reads } from "../../access/call.ts";
import { listedProjects } from "../../access/scope.ts";
import * as queries from "../../model/schedule/queries.ts";

interface ListPlanned extends PageRequest {
  readonly projectId?: number | undefined;
  readonly flagId?: number | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/**
 * Returns a page of what the service will do, in the order of time (see `listedProjects`). Throws: 403
 * for an API key of another project.
 */
export async function listPlanned(call: Call, { page, size, projectId, ...list }: ListPlanned) {
  const { db, actor } = reads(call, "change-request:read");
  const { flagId, from, to } = list;
  const filter = { listed: listedProjects(actor, projectId), flagId, from, to };
  return queries.listPlanned(db, filter, { limit: size, offset: page * size });
}
