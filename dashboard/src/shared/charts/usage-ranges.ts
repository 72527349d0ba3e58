import { DAY_MS } from "../time.ts";

/** How far back usage is looked at; by the hour, and the longest by the day. */
export const USAGE_RANGES = ["24h", "7d", "30d"] as const;
export type UsageRange = (typeof USAGE_RANGES)[number];

/** What the API is asked for; what is left out it has by default. */
export function periodOf(
  range: UsageRange,
  now = Date.now(),
): { interval: "hour" | "day"; from?: string } {
  if (range === "30d") return { interval: "day" };
  if (range === "24h") return { interval: "hour" };
  return { interval: "hour", from: new Date(now - 7 * DAY_MS).toISOString() };
}

/** Usage arrives within seconds; whoever watches a roll-out should not have to ask for it. */
export const USAGE_REFRESH_MS = 30_000;
