import { HOUR_MS } from "../lib/time.ts";

/** The minimum time between two audit records about the use of the same revoked API key, in milliseconds. */
export const REPORT_EVERY_MS = HOUR_MS;

/**
 * Returns whether a use of a revoked API key may be audited again. `reportedAt`: when a use was last
 * audited, epoch milliseconds; null: never.
 */
export const isReportDue = (reportedAt: number | null, now: number): boolean =>
  reportedAt === null || reportedAt <= now - REPORT_EVERY_MS;
