/** The shortest and the longest time until the service tries a planned change again, milliseconds. */
const MIN_RETRY_MS = 5_000;
const MAX_RETRY_MS = 60_000;

/**
 * Returns after how long the service tries a planned change again that is late by `lateMs`: as late
 * as it is, so that the times between attempts double.
 */
export const retryAfterMs = (lateMs: number): number =>
  Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, lateMs));
