import { defaultParseSearch, defaultStringifySearch } from "@tanstack/react-router";
import { type FlagsSearch, validateFlagsSearch } from "./search-params.ts";

/**
 * Returns the query that is saved: search text, filters and order, without the page number. The same
 * filters always have the same query, because the validation sorts the parameters.
 */
export const toSavedQuery = (search: FlagsSearch): string =>
  defaultStringifySearch({ ...validateFlagsSearch({ ...search }), page: undefined }).slice(1);

export const fromSavedQuery = (query: string): FlagsSearch =>
  validateFlagsSearch(defaultParseSearch(query));
