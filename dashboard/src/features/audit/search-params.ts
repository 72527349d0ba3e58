import {
  parseOneOf,
  parsePage,
  parsePositiveInteger,
  parseText,
} from "../../shared/parse-search-params.ts";

export const AUDIT_RANGES = ["24h", "7d", "30d"] as const;

/** The entity types to filter by. Only administrators see those from `user` on. */
export const AUDIT_TYPES = [
  "flag",
  "segment",
  "context",
  "context-value",
  "tag",
  "environment",
  "api-key",
  "integration",
  "project",
  "user",
  "service-account",
  "token",
  "settings",
] as const;

export const CATEGORIES = ["change", "security"] as const;

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
  type?: (typeof AUDIT_TYPES)[number] | undefined;
  /** The id of one entity of the type `type`. Ignored without `type`. */
  id?: number | undefined;
  environment?: number | undefined;
  category?: (typeof CATEGORIES)[number] | undefined;
  /** The page number of the list of audit records, starting at 1. Undefined for page 1. */
  page?: number | undefined;
}

export function validateAuditSearch(raw: Record<string, unknown>): AuditSearch {
  const [from, to] = [dateOf(raw["from"]), dateOf(raw["to"])];
  const type = parseOneOf(AUDIT_TYPES, raw["type"]);
  const { actor } = raw;
  return {
    search: parseText(raw["search"]),
    range:
      from === undefined && to === undefined ? parseOneOf(AUDIT_RANGES, raw["range"]) : undefined,
    from,
    to,
    actor: typeof actor === "string" && ACTOR.test(actor) ? actor : undefined,
    type,
    id: type && parsePositiveInteger(raw["id"]),
    environment: parsePositiveInteger(raw["environment"]),
    category: parseOneOf(CATEGORIES, raw["category"]),
    page: parsePage(raw["page"]),
  };
}

const ACTOR = /^(?:(?:user|service-account|key)-\d{1,15}|system)$/;

const dateOf = (value: unknown): string | undefined =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

/** Whether any filter of the audit page is set. The page number is not a filter. */
export const isFiltered = ({ page: _page, ...filters }: AuditSearch): boolean =>
  Object.values(filters).some((value) => value !== undefined);
