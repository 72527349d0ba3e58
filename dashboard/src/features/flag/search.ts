/** What of the flag is shown, as it stands in the address. */
export interface FlagSearch {
  environment?: number;
}

export const validateFlagSearch = (raw: Record<string, unknown>): FlagSearch =>
  typeof raw["environment"] === "number" ? { environment: raw["environment"] } : {};
