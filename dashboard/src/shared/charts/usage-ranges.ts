import { DAY_MS } from "../time.ts";

/** The time ranges of usage charts. 24 hours and 7 days are shown by hour, 30 days by day. */
export const USAGE_RANGES = ["24h", "7d", "30d"] as const;
export type UsageRange = (typeof USAGE_RANGES)[number];

/**
 * Returns the query parameters of the usage API for a time range. An omitted parameter takes the
 * API's default. `now`: epoch milliseconds.
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
 * The refetch interval of usage data in milliseconds. The service stores usage within seconds, and
 * users watch a roll-out without reloading.
 */
export const USAGE_REFRESH_MS = 30_000;
