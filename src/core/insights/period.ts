import { ApiError } from "../errors/api-error.ts";
import { type Interval, type Period, startOf } from "./series.ts";
import { DAY_MS } from "../lib/time.ts";

interface Retention {
  readonly days: number;
  /** For the error message. */
  readonly text: string;
}

/** How far back the data of each interval goes (db/schema/usage.ts). */
type Retentions = Readonly<Record<Interval, Retention>>;

export const FLAG_RETENTION: Retentions = {
  hour: { days: 90, text: "hourly data is kept for 90 days, daily data for 2 years" },
  // Two years, one of them a leap year.
  day: { days: 731, text: "daily data is kept for 2 years" },
};

const week: Retention = {
  days: 7,
  text: "data of a single instance or application is kept for 7 days",
};
export const INSTANCE_RETENTION: Retentions = { hour: week, day: week };

/** The length of the period when the request has no `from`. */
const DEFAULT_SPAN_MS: Readonly<Record<Interval, number>> = { hour: DAY_MS, day: 30 * DAY_MS };

/** A period up to this long is by the hour unless the request names an interval: 169 points. */
const LONGEST_BY_HOUR_MS = 7 * DAY_MS;

/** The query parameters of a request. */
export interface RequestedPeriod {
  /** Epoch milliseconds, both inclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly interval?: Interval | undefined;
}

/**
 * Fills in the defaults: until now, for `DEFAULT_SPAN_MS`, by the hour when the period is short.
 * Throws: 400 when the period starts after its end, or before the retained data.
 */
export function periodOf(requested: RequestedPeriod, retention: Retentions, now: number): Period {
  // There is no data in the future, and a series needs a last point.
  const to = Math.min(requested.to ?? now, now);
  // Rounded down to a whole day: a request for "the last 90 days" may take a moment to arrive.
  const oldest = (interval: Interval) => startOf("day", now - retention[interval].days * DAY_MS);
  const start = requested.from ?? to - DEFAULT_SPAN_MS.hour;
  const byHour = to - start <= LONGEST_BY_HOUR_MS && start >= oldest("hour");
  const interval = requested.interval ?? (byHour ? "hour" : "day");
  const [name, first] = requested.from === undefined ? ["to", to] : ["from", requested.from];
  if (first < oldest(interval)) throw invalidQuery(`${name}: ${retention[interval].text}`);
  const from = requested.from ?? Math.max(to - DEFAULT_SPAN_MS[interval], oldest(interval));
  if (from > to) throw invalidQuery("from: must not be after to, nor in the future");
  return { from, to, interval };
}

const invalidQuery = (text: string) => new ApiError("BAD_REQUEST", `Invalid query: ${text}`);
