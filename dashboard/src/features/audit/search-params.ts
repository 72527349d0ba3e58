import { parseOneOf, parsePage, parsePositiveInteger } from "../../shared/parse-search-params.ts";

export const AUDIT_RANGES = ["24h", "7d", "30d"] as const;

/** The entity types of audit records. Only administrators see `user` and `settings`. */
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
  "settings",
] as const;

const CATEGORIES = ["change", "security"] as const;

/** Search parameters of the audit page. A missing parameter does not filter. */
export interface AuditSearch {
  range?: (typeof AUDIT_RANGES)[number] | undefined;
  /** Inclusive dates such as `2026-01-31` in the reader's time zone; used instead of `range`. */
  from?: string | undefined;
  to?: string | undefined;
  /** `user-3`, `key-5` or `system`. */
  actor?: string | undefined;
  type?: (typeof AUDIT_TYPES)[number] | undefined;
  /** The id of one entity of that type. */
  id?: number | undefined;
  environment?: number | undefined;
  category?: (typeof CATEGORIES)[number] | undefined;
  /** Starts at 1. */
  page?: number | undefined;
}

/**
 * Missing and invalid parameters are returned as `undefined`: the router merges the result into the
 * raw parameters, so an omitted key would keep the raw value.
 */
export function validateAuditSearch(raw: Record<string, unknown>): AuditSearch {
  const [from, to] = [dateOf(raw["from"]), dateOf(raw["to"])];
  const type = parseOneOf(AUDIT_TYPES, raw["type"]);
  const { actor } = raw;
  return {
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

const ACTOR = /^(?:(?:user|key)-\d{1,15}|system)$/;

const dateOf = (value: unknown): string | undefined =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

/** Whether any parameter but the page is set. */
export const isFiltered = ({ page: _page, ...filters }: AuditSearch): boolean =>
  Object.values(filters).some((value) => value !== undefined);
