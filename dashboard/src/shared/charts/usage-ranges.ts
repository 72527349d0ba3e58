import { DAY_MS } from "../time.ts";

/** 24 hours and 7 days have one bar per hour, 30 days one per day. */
export const USAGE_RANGES = ["24h", "7d", "30d"] as const;
export type UsageRange = (typeof USAGE_RANGES)[number];

/**
 * Returns the URL parameters that request a time range from the usage API. Without `from`, the API
 * uses its default period for the interval. `now`: epoch milliseconds.
 */
export function periodOf(
  range: UsageRange,
  now = Date.now(),
): { interval: "hour" | "day"; from?: string } {
  if (range === "30d") return { interval: "day" };
  if (range === "24h") return { interval: "hour" };
  return { interval: "hour", from: new Date(now - 7 * DAY_MS).toISOString() };
}

/** The refetch interval of the usage of the last 24 hours, milliseconds. */
const WATCHED_MS = 10_000;

/**
 * Returns the refetch interval of the usage of a time range, milliseconds. Users watch the current
 * hour in the shortest range. The longer ranges are not refetched, because their bars hardly change.
 */
export const usageRefreshMs = (range: UsageRange): number | false =>
  range === "24h" ? WATCHED_MS : false;
