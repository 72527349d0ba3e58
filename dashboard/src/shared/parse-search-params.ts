/**
 * This file contains parsers of URL search parameters. Users can type anything into the address
 * bar, so every parser returns undefined for an invalid value. A route must return undefined for an
 * invalid parameter, too, because the router adds the parameters that a route leaves out.
 */

/** The maximum length of a text in characters. A longer text is cut off. */
const MAX_TEXT = 200;

/**
 * Parses a text and trims it. A number becomes a text, because the router parses `?search=42` as a
 * number. Returns undefined for an empty text.
 */
export function parseText(value: unknown): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string") return undefined;
  const trimmed = text.trim().slice(0, MAX_TEXT);
  return trimmed === "" ? undefined : trimmed;
}

/** Parses an id or a page number: an integer from 1 to 999,999,999. */
export const parsePositiveInteger = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 && value < 1e9
    ? value
    : undefined;

/** Parses the number of a list's page. Returns undefined for page 1, which the URL omits. */
export function parsePage(value: unknown): number | undefined {
  const page = parsePositiveInteger(value);
  return page === 1 ? undefined : page;
}

export const parseOneOf = <const T extends string>(
  known: readonly T[],
  value: unknown,
): T | undefined => known.find((candidate) => candidate === value);

/** Parses a date such as `2026-01-31`. */
export const parseDate = (value: unknown): string | undefined =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;
