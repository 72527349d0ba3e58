import { parseDate, parseOneOf, parsePositiveInteger } from "../parse-search-params.ts";
import { dateOf, DAY_MS, endOfDay, startOfDay } from "../time.ts";

/** 24 hours and 7 days have one bar per hour, 30 days one per day. */
export const USAGE_RANGES = ["24h", "7d", "30d"] as const;
type NamedRange = (typeof USAGE_RANGES)[number];

/** A custom range: its first and its last day, such as `2026-01-31`. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export type UsageRange = NamedRange | Days;

const DEFAULT_RANGE: NamedRange = "24h";

/** A custom range of up to this many days has one bar per hour, as the API does by default. */
const MAX_DAYS_BY_HOUR = 7;

/**
 * How old the first day may be, days: by hour and at all. The service keeps hours for 90 days and days for
 * 731 days, and the day of the browser may be another one than the day in UTC.
 */
const KEPT_DAYS = { hour: 89, day: 730 } as const;

/** The search parameters of a page with usage charts. */
export interface UsageSearch {
  range?: NamedRange | undefined;
  /** The first and the last day of a custom range, in the time zone of the browser. */
  from?: string | undefined;
  to?: string | undefined;
  /** The id of the environment that is shown beside the chosen one. */
  compare?: number | undefined;
}

/** Drops the days of a custom range that has a problem. */
export function validateUsageSearch(raw: Record<string, unknown>): UsageSearch {
  const days = { from: parseDate(raw["from"]) ?? "", to: parseDate(raw["to"]) ?? "" };
  const known = parseOneOf(USAGE_RANGES, raw["range"]);
  const range = problemOf(days) === undefined ? days : (known ?? DEFAULT_RANGE);
  return { ...searchOf(range), compare: parsePositiveInteger(raw["compare"]) };
}

export const rangeOf = ({ range = DEFAULT_RANGE, from, to }: UsageSearch): UsageRange =>
  from === undefined || to === undefined ? range : { from, to };

/** The inverse of `rangeOf`. Leaves out the default range. */
export const searchOf = (range: UsageRange): Required<Omit<UsageSearch, "compare">> =>
  typeof range === "string"
    ? { range: range === DEFAULT_RANGE ? undefined : range, from: undefined, to: undefined }
    : { range: undefined, from: range.from, to: range.to };

/** The last 7 days, with which a custom range begins. */
export const lastDays = (now = Date.now()): Days => ({
  from: dateOf(now - 6 * DAY_MS),
  to: dateOf(now),
});

/** The first and the last day that a custom range may have. */
export const possibleDays = (now = Date.now()): Days => ({
  from: dateOf(now - KEPT_DAYS.day * DAY_MS),
  to: dateOf(now),
});

/** Returns why usage of these days cannot be shown. An empty text stands for a missing day. */
export function problemOf({ from, to }: Days, now = Date.now()) {
  const possible = possibleDays(now);
  if (from === "" || to === "") return "missing";
  if (from > to) return "order";
  if (to > possible.to) return "future";
  return from < possible.from ? "old" : undefined;
}

/**
 * Returns the URL parameters that request a time range from the usage API. Without `from`, the API
 * uses its default period for the interval. Hours begin and end with the days of the browser's time
 * zone, days are days in UTC. `now`: epoch milliseconds.
 */
export function periodOf(
  range: UsageRange,
  now = Date.now(),
): { interval: "hour" | "day"; from?: string; to?: string } {
  if (range === "30d") return { interval: "day" };
  if (range === "24h") return { interval: "hour" };
  if (range === "7d") return { interval: "hour", from: new Date(now - 7 * DAY_MS).toISOString() };
  const { from, to } = range;
  const days = 1 + (Date.parse(to) - Date.parse(from)) / DAY_MS;
  if (days > MAX_DAYS_BY_HOUR || from < dateOf(now - KEPT_DAYS.hour * DAY_MS))
    return { interval: "day", from, to };
  return {
    interval: "hour",
    from: startOfDay(from).toISOString(),
    to: endOfDay(to).toISOString(),
  };
}

/** The refetch interval of the usage of the last 24 hours, milliseconds. */
const WATCHED_MS = 10_000;

/**
 * Returns the refetch interval of the usage of a time range, milliseconds. Users watch the current
 * hour in the shortest range. The longer ranges are not refetched, because their bars hardly change.
 */
export const usageRefreshMs = (range: UsageRange): number | false =>
  range === "24h" ? WATCHED_MS : false;

/** Returns the id of the chosen environment, and that of the one to compare with, if the project has it. */
export const comparedIds = (
  environmentId: number,
  environments: readonly { readonly id: number }[],
  { compare }: UsageSearch,
): readonly [number, ...number[]] => [
  environmentId,
  ...environments.flatMap(({ id }) => (id === compare && id !== environmentId ? [id] : [])),
];
