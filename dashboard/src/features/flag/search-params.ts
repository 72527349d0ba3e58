import { parsePositiveInteger } from "../../shared/parse-search-params.ts";

/** The view of the flag page, as URL parameters. */
export interface FlagSearch {
  /** The environment whose strategy is edited, or is on the left of a comparison. */
  environment?: number;
  view?: "compare";
  /** The environment on the right of a comparison. */
  against?: number;
}

export function validateFlagSearch(raw: Record<string, unknown>): FlagSearch {
  const environment = parsePositiveInteger(raw["environment"]);
  const against = parsePositiveInteger(raw["against"]);
  return {
    ...(environment !== undefined && { environment }),
    ...(raw["view"] === "compare" && { view: raw["view"] }),
    ...(against !== undefined && { against }),
  };
}
