/**
 * The number of metrics objects (shards) that the isolates are spread over. Cloudflare states that
 * one Durable Object takes about 1,000 requests a second.
 */
export const SHARDS = 8;

/**
 * The pause between two writes of a metrics object to its storage, as a fraction of the flush
 * interval. With an interval of 5 s, batches that arrive within 1 s share one write. Reading the
 * metrics writes at once.
 */
export const SAVE_PAUSE = 1 / 5;

/**
 * The longest flush interval of metrics, seconds. Work after a response may take 30 s
 * (`waitUntil`), and sending the metrics needs the rest.
 */
const MAX_FLUSH_SECONDS = 20;
const DEFAULT_FLUSH_SECONDS = 5;

/**
 * Returns how long an isolate collects metrics before it reports them, seconds; 0: it never
 * reports. An invalid `METRICS_FLUSH_SECONDS` counts as the default.
 */
export function flushSeconds(env: Env): number {
  const seconds = Number(env.METRICS_FLUSH_SECONDS || DEFAULT_FLUSH_SECONDS);
  return seconds >= 0 && seconds <= MAX_FLUSH_SECONDS ? seconds : DEFAULT_FLUSH_SECONDS;
}
