import { ApiError } from "../errors/api-error.ts";
import { type Interval, type Period, startOf } from "./series.ts";
import { DAY_MS } from "../lib/time.ts";
import { KEEP_INSTANCE_HOURS_MS } from "../usage/retention.ts";

interface Retention {
  /** How long the data is kept, milliseconds. */
  readonly ms: number;
  /**
   * The unit of the data. The oldest hour or day that is kept completely is the one that contains
   * `now - ms`.
   */
  readonly whole: Interval;
  /** The part of an error message that says how long the data is kept. */
  readonly text: string;
}

/** How long hourly and daily usage data is kept (db/schema/usage.ts). */
type Retentions = Readonly<Record<Interval, Retention>>;

export const FLAG_RETENTION: Retentions = {
  hour: {
    ms: 90 * DAY_MS,
    whole: "day",
    text: "hourly data is kept for 90 days, daily data for 2 years",
  },
  // 731 days are two years, one of them a leap year.
  day: { ms: 731 * DAY_MS, whole: "day", text: "daily data is kept for 2 years" },
};

const month: Retention = {
  ms: 30 * DAY_MS,
  whole: "day",
  text: "data of a single application is kept for 30 days",
};
export const APP_RETENTION: Retentions = { hour: month, day: month };

const twoDays: Retention = {
  ms: KEEP_INSTANCE_HOURS_MS,
  whole: "hour",
  text: "data of a single instance is kept for 48 hours",
};
export const INSTANCE_RETENTION: Retentions = { hour: twoDays, day: twoDays };

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
  // Cuts a period that ends in the future, because there is no later data.
  const to = Math.min(requested.to ?? now, now);
  // Rounds the oldest time down to a whole day or hour, because a request for "the last 90 days"
  // takes a moment to arrive.
  const oldest = (interval: Interval) =>
    startOf(retention[interval].whole, now - retention[interval].ms);
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
