import { type ListSearch, validateListSearch } from "../../shared/list/list-search-params.ts";
import { parseText } from "../../shared/parse-search-params.ts";

interface ContextsSearch extends ListSearch {
  /** Lists only contexts of this type. */
  type?: string | undefined;
}

export const validateContextsSearch = (raw: Record<string, unknown>): ContextsSearch => ({
  ...validateListSearch(raw),
  type: parseText(raw["type"]),
});
