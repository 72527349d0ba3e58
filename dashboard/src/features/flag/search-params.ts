import { positiveIn } from "../../shared/parse-search-params.ts";

/** What of the flag is shown, as it stands in the address. */
export interface FlagSearch {
  /** Whose strategy is edited, or stands on the left of a comparison. */
  environment?: number;
  view?: "compare";
  /** Stands on the right of a comparison. */
  against?: number;
}

export function validateFlagSearch(raw: Record<string, unknown>): FlagSearch {
  const environment = positiveIn(raw["environment"]);
  const against = positiveIn(raw["against"]);
  return {
    ...(environment !== undefined && { environment }),
    ...(raw["view"] === "compare" && { view: raw["view"] }),
    ...(against !== undefined && { against }),
  };
}
