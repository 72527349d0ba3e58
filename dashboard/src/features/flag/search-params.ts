import { parsePositiveInteger } from "../../shared/parse-search-params.ts";

/** The URL search parameters of the flag page. */
export interface FlagSearch {
  /** The id of the environment whose strategy is open, or is on the left side of a comparison. */
  environment?: number;
  view?: "compare";
  /** The id of the environment on the right side of a comparison. */
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
