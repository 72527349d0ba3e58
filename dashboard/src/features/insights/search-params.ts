import { type UsageSearch, validateUsageSearch } from "../../shared/charts/usage-ranges.ts";
import { parsePage, parsePositiveInteger } from "../../shared/parse-search-params.ts";

export interface InsightsSearch extends UsageSearch {
  environment?: number | undefined;
  /** The page number of the table of SDK instances, starting at 1. Undefined for page 1. */
  page?: number | undefined;
}

export const validateInsightsSearch = (raw: Record<string, unknown>): InsightsSearch => ({
  ...validateUsageSearch(raw),
  environment: parsePositiveInteger(raw["environment"]),
  page: parsePage(raw["page"]),
});
