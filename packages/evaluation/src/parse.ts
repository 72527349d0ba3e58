import type { SemVer } from "semver";
import parseSemver from "semver/functions/parse.js";
import type { Primitive } from "./context.ts";

// Every parser here serves context values and constraint values alike, and answers
// undefined for what it does not take; none throws, and all are linear in their input.

const DECIMAL = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)?)?$/;

const MINUTE_MS = 60_000;

/** A finite number, or a decimal string such as `-1.5e3`; no hexadecimal, no white space. */
export function parseNumber(value: Primitive): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !DECIMAL.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** A boolean, or exactly `true` or `false` as a string. */
export function parseBoolean(value: Primitive): boolean | undefined {
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : undefined;
}

/**
 * A point in time: an ISO 8601 date or date-time, read as UTC where it names no zone; or a
 * number, which is epoch milliseconds already.
 *
 * @returns epoch milliseconds, with a fraction where the text is finer than that
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
  // Not `Date.UTC`, which takes the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  // A day that its month does not have runs over into another month.
  const isReal =
    date.getUTCMonth() === month - 1 &&
    Math.max(hour, offsetHour) < 24 &&
    Math.max(minute, second, offsetMinute) < 60;
  if (!isReal) return undefined;
  const offset = (offsetHour * 60 + offsetMinute) * (match[8] === "-" ? -1 : 1);
  const time = date.setUTCHours(hour, minute, second) - offset * MINUTE_MS;
  return time + Number(`0.${match[7] ?? 0}`) * 1000;
}

/** A semantic version by semver.org 2.0; the package alone would take ` v1.2.3 ` as well. */
export function parseVersion(value: Primitive): SemVer | undefined {
  if (typeof value !== "string" || !/^\d\S*$/.test(value)) return undefined;
  return parseSemver(value) ?? undefined;
}
