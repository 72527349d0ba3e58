/** The isolates are spread over this many objects, as one object takes about 1,000 requests a second. */
export const SHARDS = 8;

/**
 * The pause between two writes of a shard, as a part of the flush interval: with 5 s, all batches of
 * 1 s share one written row.
 */
export const SAVE_PAUSE = 1 / 5;

/** Work after a response may take 30 s (`waitUntil`); the rest of it is for sending. */
const MAX_FLUSH_SECONDS = 20;
const DEFAULT_FLUSH_SECONDS = 5;

/** How long an isolate collects metrics before it reports them, seconds; 0: it never reports. */
export function flushSeconds(env: Env): number {
  const seconds = Number(env.METRICS_FLUSH_SECONDS || DEFAULT_FLUSH_SECONDS);
  return seconds >= 0 && seconds <= MAX_FLUSH_SECONDS ? seconds : DEFAULT_FLUSH_SECONDS;
}
