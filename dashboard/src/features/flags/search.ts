/** The filters of the table, as they stand in the address. */
export interface FlagsSearch {
  search?: string;
}

export const validateFlagsSearch = (raw: Record<string, unknown>): FlagsSearch =>
  typeof raw["search"] === "string" && raw["search"] !== "" ? { search: raw["search"] } : {};
