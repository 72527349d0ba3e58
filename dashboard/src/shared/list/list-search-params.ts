import { parsePage, parseText } from "../parse-search-params.ts";

/** What of a list is shown, as it stands in the address; what is left out does not filter. */
export interface ListSearch {
  search?: string | undefined;
  /** The first is 1, and is left out. */
  page?: number | undefined;
}

/** Says `undefined` of what is missing or invalid: the router merges the answer into what it was given. */
export const validateListSearch = (raw: Record<string, unknown>): ListSearch => ({
  search: parseText(raw["search"]),
  page: parsePage(raw["page"]),
});
