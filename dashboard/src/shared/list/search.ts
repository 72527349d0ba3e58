/** What of a list is shown, as it stands in the address; what is left out does not filter. */
export interface ListSearch {
  search?: string | undefined;
  /** The first is 1, and is left out. */
  page?: number | undefined;
}

/** As the API has it. */
const MAX_TEXT = 200;

/** Says `undefined` of what is missing or invalid: the router merges the answer into what it was given. */
export const validateListSearch = (raw: Record<string, unknown>): ListSearch => ({
  search: textIn(raw["search"]),
  page: pageIn(raw["page"]),
});

/** The router reads `?search=42` as a number. */
export function textIn(value: unknown): string | undefined {
  const words = typeof value === "number" ? String(value) : value;
  if (typeof words !== "string") return undefined;
  const trimmed = words.trim().slice(0, MAX_TEXT);
  return trimmed === "" ? undefined : trimmed;
}

/** An id, or the number of a page. */
export const positiveIn = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 && value < 1e9
    ? value
    : undefined;

export function pageIn(value: unknown): number | undefined {
  const page = positiveIn(value);
  return page === 1 ? undefined : page;
}
