import { ApiError } from "../errors/api-error.ts";
import { type Interval, type Period, startOf } from "./series.ts";
import { DAY_MS } from "../lib/time.ts";

interface Retention {
  readonly days: number;
  /** The part of an error message that says how long the data is kept. */
  readonly text: string;
}

/** How long hourly and daily usage data is kept (db/schema/usage.ts). */
type Retentions = Readonly<Record<Interval, Retention>>;

export const FLAG_RETENTION: Retentions = {
  hour: { days: 90, text: "hourly data is kept for 90 days, daily data for 2 years" },
  // 731 days are two years, one of them a leap year.
  day: { days: 731, text: "daily data is kept for 2 years" },
};

const week: Retention = {
  days: 7,
  text: "data of a single instance or application is kept for 7 days",
};
export const INSTANCE_RETENTION: Retentions = { hour: week, day: week };

/** The length of the period when the request has no `from`, milliseconds. */
const DEFAULT_SPAN_MS: Readonly<Record<Interval, number>> = { hour: DAY_MS, day: 30 * DAY_MS };

/**
 * The longest period, in milliseconds, that has a point for each hour if the request names no
 * interval. This makes at most 169 points. A longer period, or one that starts before the oldest
 * hourly data, has a point for each day.
 */
const LONGEST_BY_HOUR_MS = 7 * DAY_MS;

/** The query parameters of a request that ask for a period of usage data. */
export interface RequestedPeriod {
  /** `from` and `to` are epoch milliseconds, both inclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly interval?: Interval | undefined;
}

/**
 * Completes the period of a request. By default the period ends now and starts `DEFAULT_SPAN_MS`
 * earlier, but not before the oldest kept data. Throws: 400 when the period starts after its end,
 * or when `from` (without `from`: `to`) is before the oldest kept data.
 */
export function periodOf(requested: RequestedPeriod, retention: Retentions, now: number): Period {
  // A period that ends in the future is cut to now, because there is no later data.
  const to = Math.min(requested.to ?? now, now);
  // The oldest time is rounded down to a whole day, because a request for "the last 90 days" takes
  // a moment to arrive.
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
