import type { AuditRecord } from "../../shared/api/types.ts";
import { DAY_MS, endOfDay, startOfDay } from "../../shared/time.ts";
import type { AuditFilter } from "../../shared/history/audit-query.ts";
import type { AuditSearch } from "./search-params.ts";

const PAGE_SIZE = 25;

const RANGE_MS = { "24h": DAY_MS, "7d": 7 * DAY_MS, "30d": 30 * DAY_MS } as const;

/**
 * Translates the search parameters of the audit page into the query parameters of the audit API. A
 * range such as `7d` starts 7 days before `now` (epoch milliseconds).
 */
export function toAuditFilter(
  search: AuditSearch,
  projectId: number | undefined,
  now: number,
): AuditFilter {
  const {
    search: text,
    range,
    from,
    to,
    actor,
    type,
    id,
    environment,
    category,
    page = 1,
  } = search;
  const [, actorKind, actorId] = actor?.match(/^(.+?)(?:-(\d+))?$/) ?? [];
  return {
    page: page - 1,
    size: PAGE_SIZE,
    ...(projectId !== undefined && { projectId }),
    ...(text !== undefined && { q: text }),
    ...(range && { dateFrom: new Date(now - RANGE_MS[range]).toISOString() }),
    ...(from !== undefined && { dateFrom: startOfDay(from).toISOString() }),
    ...(to !== undefined && { dateTo: endOfDay(to).toISOString() }),
    ...(actorKind !== undefined && { actorKind: actorKind as AuditRecord["actor"]["kind"] }),
    ...(actorId !== undefined && { actorId: Number(actorId) }),
    ...(type !== undefined && { entityType: type }),
    ...(id !== undefined && { entityId: id }),
    ...(environment !== undefined && { environmentId: environment }),
    ...(category && { category }),
  };
}
