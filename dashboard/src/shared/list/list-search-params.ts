import { parsePage, parseText } from "../parse-search-params.ts";

/** The URL search parameters of a page with a list. Without `search`, the list is not filtered. */
export interface ListSearch {
  search?: string | undefined;
  /** The number of the list's page, starting at 1. Undefined for page 1. */
  page?: number | undefined;
}

export const validateListSearch = (raw: Record<string, unknown>): ListSearch => ({
  search: parseText(raw["search"]),
  page: parsePage(raw["page"]),
});
