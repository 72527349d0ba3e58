import { z } from "@hono/zod-openapi";
import { DAY_MS } from "../core/lib/time.ts";

/** The schema of a time in a query: an ISO 8601 date or date-time. */
const moment = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], {
  error: "must be an ISO 8601 date or date-time",
});
const WITHOUT_OFFSET = /T[^Z+-]*$/;
/**
 * Parses a time to epoch milliseconds. Adds `Z` to a time without an offset, because `Date.parse`
 * would otherwise read it as local time instead of UTC.
 */
const instant = (text: string) => Date.parse(WITHOUT_OFFSET.test(text) ? `${text}Z` : text);
/** Parses a time to epoch milliseconds. A date becomes the last millisecond of that day. */
const endOf = (text: string) => instant(text) + (text.includes("T") ? 0 : DAY_MS - 1);

/** The query parameter for the start of a period, parsed to epoch milliseconds. */
export const firstMoment = moment.transform(instant).optional().openapi({
  type: "string",
  format: "date-time",
  description: "The start of the period, inclusive; a date means its first millisecond, UTC",
});

/** The query parameter for the end of a period, parsed to epoch milliseconds. */
export const lastMoment = moment.transform(endOf).optional().openapi({
  type: "string",
  format: "date-time",
  description: "The end of the period, inclusive; a date means its last millisecond, UTC",
});
