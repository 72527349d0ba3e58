import type { Primitive } from "./context.ts";
import { type Decimal, nearestOf, parseDecimal } from "./decimal.ts";
import { parseVersionText, type Version } from "./version.ts";

// Each parser of this file reads context values and constraint values alike. A parser returns
// undefined for a value that it does not accept, never throws, and takes linear time.

const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)?)?$/;

const MINUTE_MS = 60_000;

/**
 * Parses a finite number, or a decimal string such as `-1.5e3`; no hexadecimal, no white space. A string
 * keeps all of its digits.
 */
export function parseNumber(value: Primitive): Decimal | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" ? parseDecimal(value) : undefined;
}

/** Parses a boolean, or the string `true` or `false` in lower case. */
export function parseBoolean(value: Primitive): boolean | undefined {
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : undefined;
}

/**
 * Parses a date as `parseInstant` does.
 *
 * @returns epoch milliseconds, the nearest double if the text is more precise
 */
export function parseDate(value: Primitive): number | undefined {
  const instant = parseInstant(value);
  return instant === undefined ? undefined : nearestOf(instant);
}

/**
 * Parses an ISO 8601 date or date-time, in UTC when it has no zone; or a number of epoch
 * milliseconds.
 *
 * @returns epoch milliseconds, with all decimals of the text
 */
export function parseInstant(value: Primitive): Decimal | undefined {
  if (typeof value === "number") return value;
  const match = typeof value === "string" ? DATE_TIME.exec(value) : null;
  if (match === null) return undefined;
  const part = (group: number): number => Number(match[group] ?? 0);
  const [year, month, day] = [part(1), part(2), part(3)];
  const [hour, minute, second] = [part(4), part(5), part(6)];
  const [offsetHour, offsetMinute] = [part(9), part(10)];
  const date = new Date(0);
  // Sets the year separately, because `Date.UTC` reads the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  // Rejects a day that the month does not have, such as 31 April, which `setUTCFullYear` turns into
  // a day of the next month.
  const isReal =
    date.getUTCMonth() === month - 1 &&
    Math.max(hour, offsetHour) < 24 &&
    Math.max(minute, second, offsetMinute) < 60;
  if (!isReal) return undefined;
  const offset = (offsetHour * 60 + offsetMinute) * (match[8] === "-" ? -1 : 1);
  const time = date.setUTCHours(hour, minute, second) - offset * MINUTE_MS;
  const fraction = match[7] ?? "";
  return fraction.length <= MS_DIGITS
    ? time + Number(fraction.padEnd(MS_DIGITS, "0"))
    : parseDecimal(withFraction(time, fraction));
}

/** How many decimals of a second are whole milliseconds. */
const MS_DIGITS = 3;

/** Adds the decimals of a second to whole milliseconds, as a decimal text. */
function withFraction(time: number, fraction: string): string {
  const scaled = BigInt(`${time}${"0".repeat(fraction.length - MS_DIGITS)}`) + BigInt(fraction);
  return `${scaled}e${MS_DIGITS - fraction.length}`;
}

/** Parses a version of semver.org 2.0.0, with any number of digits. */
export const parseVersion = (value: Primitive): Version | undefined =>
  typeof value === "string" ? parseVersionText(value) : undefined;
