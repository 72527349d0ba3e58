import { USAGE_RANGES, type UsageRange } from "../../shared/charts/usage-ranges.ts";
import { parseOneOf, parsePage, parsePositiveInteger } from "../../shared/parse-search-params.ts";

export const DEFAULT_RANGE: UsageRange = "24h";

export interface InsightsSearch {
  environment?: number | undefined;
  range?: UsageRange | undefined;
  /** The page number of the table of SDK instances, starting at 1. Undefined for page 1. */
  page?: number | undefined;
}

export function validateInsightsSearch({
  environment,
  range,
  page,
}: Record<string, unknown>): InsightsSearch {
  const known = parseOneOf(USAGE_RANGES, range);
  return {
    environment: parsePositiveInteger(environment),
    range: known === DEFAULT_RANGE ? undefined : known,
    page: parsePage(page),
  };
}
