import type { SemVer } from "semver";
import parseSemver from "semver/functions/parse.js";
import type { Primitive } from "./context.ts";

// Each parser of this file reads context values and constraint values alike. A parser returns
// undefined for a value that it does not accept, never throws, and takes linear time.

const DECIMAL = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)?)?$/;

const MINUTE_MS = 60_000;

/** Parses a finite number, or a decimal string such as `-1.5e3`; no hexadecimal, no white space. */
export function parseNumber(value: Primitive): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !DECIMAL.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** Parses a boolean, or the string `true` or `false` in lower case. */
export function parseBoolean(value: Primitive): boolean | undefined {
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : undefined;
}

/**
 * Parses an ISO 8601 date or date-time, in UTC when it has no zone; or a number of epoch
 * milliseconds.
 *
 * @returns epoch milliseconds, with a fraction when the text is more precise
 */
export function parseDate(value: Primitive): number | undefined {
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
  return time + Number(`0.${match[7] ?? 0}`) * 1000;
}

/**
 * Parses a version of semver.org 2.0.0. The `semver` package alone would also accept ` v1.2.3 `.
 */
export function parseVersion(value: Primitive): SemVer | undefined {
  if (typeof value !== "string" || !/^\d\S*$/.test(value)) return undefined;
  return parseSemver(value) ?? undefined;
}
