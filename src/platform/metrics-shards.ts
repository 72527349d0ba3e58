/**
 * The number of metrics objects that the isolates are spread over. One object takes about 1,000
 * requests a second.
 */
export const SHARDS = 8;

/**
 * The least time between two writes of a shard, as a part of the flush interval. With an interval
 * of 5 s, all batches of 1 s share one write.
 */
export const SAVE_PAUSE = 1 / 5;

/**
 * The longest flush interval. Work after a response may take 30 s (`waitUntil`), and sending needs
 * the rest.
 */
const MAX_FLUSH_SECONDS = 20;
const DEFAULT_FLUSH_SECONDS = 5;

/**
 * Returns how long an isolate collects metrics before it reports them, seconds; 0: it never
 * reports.
 */
export function flushSeconds(env: Env): number {
  const seconds = Number(env.METRICS_FLUSH_SECONDS || DEFAULT_FLUSH_SECONDS);
  return seconds >= 0 && seconds <= MAX_FLUSH_SECONDS ? seconds : DEFAULT_FLUSH_SECONDS;
}
