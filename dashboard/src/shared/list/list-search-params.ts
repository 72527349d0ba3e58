import { parsePage, parseText } from "../parse-search-params.ts";

/** Search parameters of a list page. A missing parameter does not filter. */
export interface ListSearch {
  search?: string | undefined;
  /** Starts at 1; undefined for page 1. */
  page?: number | undefined;
}

/**
 * Missing and invalid parameters are returned as `undefined`: the router merges the result into the
 * raw parameters, so an omitted key would keep the raw value.
 */
export const validateListSearch = (raw: Record<string, unknown>): ListSearch => ({
  search: parseText(raw["search"]),
  page: parsePage(raw["page"]),
});
