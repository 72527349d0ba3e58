import { parseOneOf, parsePositiveInteger } from "../../shared/parse-search-params.ts";

/** The tabs of the flag page. The first one is open if the URL names none. */
export const TABS = ["targeting", "usage", "history"] as const;
type FlagTab = (typeof TABS)[number];

export interface FlagSearch {
  tab?: Exclude<FlagTab, "targeting">;
  /** The id of the environment that is open, or is on the left side of a comparison. */
  environment?: number;
  view?: "compare";
  /** The id of the environment on the right side of a comparison. */
  against?: number;
}

export function validateFlagSearch(raw: Record<string, unknown>): FlagSearch {
  const tab = parseOneOf(["usage", "history"], raw["tab"]);
  const environment = parsePositiveInteger(raw["environment"]);
  const against = parsePositiveInteger(raw["against"]);
  return {
    ...(tab && { tab }),
    ...(environment !== undefined && { environment }),
    ...(raw["view"] === "compare" && { view: raw["view"] }),
    ...(against !== undefined && { against }),
  };
}
