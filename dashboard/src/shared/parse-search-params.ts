/** What may stand in the address, where anybody may have typed it: each is undefined when it is invalid. */

/** As the API has it. */
const MAX_TEXT = 200;

/** The router reads `?search=42` as a number. */
export function parseText(value: unknown): string | undefined {
  const words = typeof value === "number" ? String(value) : value;
  if (typeof words !== "string") return undefined;
  const trimmed = words.trim().slice(0, MAX_TEXT);
  return trimmed === "" ? undefined : trimmed;
}

/** An id, or the number of a page. */
export const parsePositiveInteger = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 && value < 1e9
    ? value
    : undefined;

/** The first page is left out. */
export function parsePage(value: unknown): number | undefined {
  const page = parsePositiveInteger(value);
  return page === 1 ? undefined : page;
}

export const parseOneOf = <const T extends string>(
  known: readonly T[],
  value: unknown,
): T | undefined => known.find((one) => one === value);
