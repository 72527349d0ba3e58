import type { AuditRecord } from "../../shared/api/types.ts";
import { DAY_MS } from "../../shared/time.ts";
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
    ...(to !== undefined && { dateTo: new Date(startOfDay(to, 1).getTime() - 1).toISOString() }),
    ...(actorKind !== undefined && { actorKind: actorKind as AuditRecord["actor"]["kind"] }),
    ...(actorId !== undefined && { actorId: Number(actorId) }),
    ...(type !== undefined && { entityType: type }),
    ...(id !== undefined && { entityId: id }),
    ...(environment !== undefined && { environmentId: environment }),
    ...(category && { category }),
  };
}

/**
 * Returns the start of the day that is `later` days after `date`, in the time zone of the browser.
 */
function startOfDay(date: string, later = 0): Date {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  return new Date(year, month - 1, day + later);
}

/** Returns a date such as `2026-01-31` in the browser's time zone. `time`: epoch milliseconds. */
export function dateOf(time: number): string {
  const at = new Date(time);
  const digits = (part: number) => String(part).padStart(2, "0");
  return `${at.getFullYear()}-${digits(at.getMonth() + 1)}-${digits(at.getDate())}`;
}
