/** What of the flag is shown, as it stands in the address. */
export interface FlagSearch {
  /** Whose strategy is edited, or stands on the left of a comparison. */
  environment?: number;
  view?: "compare";
  /** Stands on the right of a comparison. */
  against?: number;
}

export const validateFlagSearch = (raw: Record<string, unknown>): FlagSearch => ({
  ...(isId(raw["environment"]) && { environment: raw["environment"] }),
  ...(raw["view"] === "compare" && { view: raw["view"] }),
  ...(isId(raw["against"]) && { against: raw["against"] }),
});

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
