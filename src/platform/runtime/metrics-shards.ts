/**
 * The number of metrics objects (shards) that the isolates are spread over. Cloudflare states that
 * one Durable Object takes about 1,000 requests a second.
 */
export const SHARDS = 8;

/**
 * The pause between two writes of a metrics object to its storage, as a fraction of the flush
 * interval. With an interval of 5 s, batches that arrive within 1 s share one write. A read of the
 * metrics saves unsaved batches without a pause.
 */
export const SAVE_PAUSE = 1 / 5;

/**
 * The maximum flush interval of metrics, in seconds. Work after a response may take 30 s
 * (`waitUntil`), which leaves 10 s for sending the metrics.
 */
const MAX_FLUSH_SECONDS = 20;
const DEFAULT_FLUSH_SECONDS = 5;

/**
 * Returns how long an isolate collects metrics before it reports them, in seconds. 0 turns
 * reporting off. An invalid `METRICS_FLUSH_SECONDS` counts as the default.
 */
export function flushSeconds(env: Env): number {
  const seconds = Number(env.METRICS_FLUSH_SECONDS || DEFAULT_FLUSH_SECONDS);
  return seconds >= 0 && seconds <= MAX_FLUSH_SECONDS ? seconds : DEFAULT_FLUSH_SECONDS;
}
