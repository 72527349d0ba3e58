import {
  parseOneOf,
  parsePage,
  parsePositiveInteger,
  parseText,
} from "../../shared/parse-search-params.ts";

export interface ComparisonSearch {
  /** The id of the environment that is copied from. */
  from?: number | undefined;
  /** The id of the environment that is copied to. */
  to?: number | undefined;
  /** Whether the page shows all flags. Undefined: only the flags that differ. */
  show?: "all" | undefined;
  search?: string | undefined;
  /** The page number, starting at 1. Undefined for page 1. */
  page?: number | undefined;
}

export const validateComparisonSearch = (raw: Record<string, unknown>): ComparisonSearch => ({
  from: parsePositiveInteger(raw["from"]),
  to: parsePositiveInteger(raw["to"]),
  show: parseOneOf(["all"], raw["show"]),
  search: parseText(raw["search"]),
  page: parsePage(raw["page"]),
});
