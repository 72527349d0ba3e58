import { parsePositiveInteger } from "../../shared/parse-search-params.ts";

/** What of the flag is shown, as it stands in the address. */
export interface FlagSearch {
  /** Whose strategy is edited, or stands on the left of a comparison. */
  environment?: number;
  view?: "compare";
  /** Stands on the right of a comparison. */
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
