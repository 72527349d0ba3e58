import { USAGE_RANGES, type UsageRange } from "../../shared/charts/usage-ranges.ts";
import { parseOneOf, parsePage, parsePositiveInteger } from "../../shared/parse-search-params.ts";

export const DEFAULT_RANGE: UsageRange = "24h";

/** What is shown, as it stands in the address. */
export interface InsightsSearch {
  environment?: number | undefined;
  range?: UsageRange | undefined;
  /** Of the SDK instances. */
  page?: number | undefined;
}

/** Says `undefined` of what is missing or invalid: the router merges the answer into what it was given. */
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
