import type { AuditRecord } from "../../shared/api/types.ts";
import { every } from "../../shared/every.ts";
import {
  parseDate,
  parseOneOf,
  parsePage,
  parsePositiveInteger,
  parseText,
} from "../../shared/parse-search-params.ts";

export const AUDIT_RANGES = ["24h", "7d", "30d"] as const;

export const CATEGORIES = every<AuditRecord["category"]>()(["change", "security"]);

export interface AuditSearch {
  /** The text to search for. */
  search?: string | undefined;
  range?: (typeof AUDIT_RANGES)[number] | undefined;
  /**
   * The first and the last day of the period, such as `2026-01-31`, in the time zone of the
   * browser. If `from` or `to` is set, `range` is ignored.
   */
  from?: string | undefined;
  to?: string | undefined;
  /**
   * The actor to filter by: a user (`user-3`), a service account (`service-account-4`), an API key
   * (`key-5`) or the service itself (`system`).
   */
  actor?: string | undefined;
  /** What the records are about, such as `flag`. It may be a kind that only another release knows. */
  type?: string | undefined;
  /** The id of one entity of the type `type`. Ignored without `type`. */
  id?: number | undefined;
  environment?: number | undefined;
  category?: (typeof CATEGORIES)[number] | undefined;
  /** The page number of the list of audit records, starting at 1. Undefined for page 1. */
  page?: number | undefined;
}

export function validateAuditSearch(raw: Record<string, unknown>): AuditSearch {
  const [from, to] = [parseDate(raw["from"]), parseDate(raw["to"])];
  const { actor, type: kind } = raw;
  const type = typeof kind === "string" && KIND.test(kind) ? kind : undefined;
  return {
    search: parseText(raw["search"]),
    range:
      from === undefined && to === undefined ? parseOneOf(AUDIT_RANGES, raw["range"]) : undefined,
    from,
    to,
    actor: typeof actor === "string" && ACTOR.test(actor) ? actor : undefined,
    type,
    id: type === undefined ? undefined : parsePositiveInteger(raw["id"]),
    environment: parsePositiveInteger(raw["environment"]),
    category: parseOneOf(CATEGORIES, raw["category"]),
    page: parsePage(raw["page"]),
  };
}

const ACTOR = /^(?:(?:user|service-account|key)-\d{1,15}|system)$/;

const KIND = /^[a-z][a-z-]{0,99}$/;

/** Whether any filter of the audit page is set. The page number is not a filter. */
export const isFiltered = ({ page: _page, ...filters }: AuditSearch): boolean =>
  Object.values(filters).some((value) => value !== undefined);
