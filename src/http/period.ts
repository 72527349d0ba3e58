import { z } from "@hono/zod-openapi";
import { DAY_MS } from "../core/lib/time.ts";

const moment = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], {
  error: "must be an ISO 8601 date or date-time",
});
const WITHOUT_OFFSET = /T[^Z+-]*$/;
/** UTC unless there is an offset; ECMA-262 would take a time without one for local. */
const instant = (text: string) => Date.parse(WITHOUT_OFFSET.test(text) ? `${text}Z` : text);
const endOf = (text: string) => instant(text) + (text.includes("T") ? 0 : DAY_MS - 1);

/** The ends of a period in a query, as epoch milliseconds. */
export const firstMoment = moment.transform(instant).optional().openapi({
  type: "string",
  format: "date-time",
  description: "The first moment, inclusive; a plain date is its start, UTC",
});

export const lastMoment = moment.transform(endOf).optional().openapi({
  type: "string",
  format: "date-time",
  description: "The last moment, inclusive; a plain date is its end, UTC",
});
