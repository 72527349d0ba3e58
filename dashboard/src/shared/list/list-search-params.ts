import { parsePage, parseText } from "../parse-search-params.ts";

/** The URL search parameters of a page with a list. Without `search`, the list is not filtered. */
export interface ListSearch {
  search?: string | undefined;
  /** The number of the list's page, starting at 1. Undefined for page 1. */
  page?: number | undefined;
}

/**
 * Parses the URL search parameters of a page with a list. A missing or invalid parameter becomes
 * `undefined`, but its key is not omitted. The router merges the result into the raw parameters, so
 * an omitted key would keep its invalid value.
 */
export const validateListSearch = (raw: Record<string, unknown>): ListSearch => ({
  search: parseText(raw["search"]),
  page: parsePage(raw["page"]),
});
