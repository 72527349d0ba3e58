import { DAY_MS } from "../time.ts";

/**
 * The time ranges of usage charts. 24 hours and 7 days have one bar per hour, 30 days one per day.
 */
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

/**
 * The refetch interval of usage data in milliseconds, so that users can watch a roll-out without
 * reloading the page.
 */
export const USAGE_REFRESH_MS = 30_000;
