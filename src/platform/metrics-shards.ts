/** So many objects share the isolates of the world, so that none hears them all. */
export const SHARDS = 8;

/** Isolates that tell every 5 s wait up to 1 s until it is saved: one row for all of that time. */
export const SHARE_OF_FLUSH = 1 / 5;

/** What a request leaves to do may take 30 s; a flush takes its part of them. */
const MAX_FLUSH_SECONDS = 20;
const STANDARD_FLUSH_SECONDS = 5;

/** How long an isolate gathers before it tells; 0: it tells nobody. */
export function flushSeconds(env: Env): number {
  const seconds = Number(env.METRICS_FLUSH_SECONDS || STANDARD_FLUSH_SECONDS);
  return seconds >= 0 && seconds <= MAX_FLUSH_SECONDS ? seconds : STANDARD_FLUSH_SECONDS;
}
