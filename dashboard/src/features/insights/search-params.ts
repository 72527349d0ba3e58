import { USAGE_RANGES, type UsageRange } from "../../shared/charts/usage-ranges.ts";
import { parseOneOf, parsePage, parsePositiveInteger } from "../../shared/parse-search-params.ts";

export const DEFAULT_RANGE: UsageRange = "24h";

/** Search parameters of the page. */
export interface InsightsSearch {
  environment?: number | undefined;
  range?: UsageRange | undefined;
  /** The page of SDK instances, starting at 1. */
  page?: number | undefined;
}

/**
 * Missing and invalid parameters are returned as `undefined`: the router merges the result into the
 * raw parameters, so an omitted key would keep the raw value.
 */
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
