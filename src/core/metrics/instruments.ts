import type { CacheName } from "./metric-families.ts";
import type { Counter, Gauge, Histogram, MetricsRegistry } from "./registry.ts";

/** What is told of a cache. */
export interface CacheCounters {
  readonly hits: Counter;
  readonly misses: Counter;
  readonly puts: Counter;
  readonly evictions: Counter;
}

export const cacheCounters = (metrics: MetricsRegistry, cache: CacheName): CacheCounters => ({
  hits: metrics.counter("cache_gets_total", { cache, result: "hit" }),
  misses: metrics.counter("cache_gets_total", { cache, result: "miss" }),
  puts: metrics.counter("cache_puts_total", { cache }),
  evictions: metrics.counter("cache_evictions_total", { cache }),
});

/** What is told of work that takes its time and may fail. */
export interface WorkInstruments {
  readonly seconds: Histogram;
  readonly success: Counter;
  /** What counts that failure. */
  readonly failure: (error: unknown) => Counter;
}

/** The same answer or error, counted and timed. `now` in epoch milliseconds. */
export async function recordWork<T>(
  meter: WorkInstruments,
  now: () => number,
  work: () => Promise<T>,
): Promise<T> {
  const began = now();
  try {
    const answer = await work();
    meter.success.add();
    return answer;
  } catch (error) {
    meter.failure(error).add();
    throw error;
  } finally {
    meter.seconds.observe((now() - began) / 1000);
  }
}

/** The same answer or error; until it comes the gauge shows one more. */
export async function trackInProgress<T>(gauge: Gauge, work: () => Promise<T>): Promise<T> {
  gauge.add(1);
  try {
    return await work();
  } finally {
    gauge.add(-1);
  }
}
