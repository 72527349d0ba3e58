import type { CacheName } from "./metric-families.ts";
import type { Counter, Gauge, Histogram, MetricsRegistry } from "./registry.ts";

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

/** The instruments with which `recordWork` records the duration, in seconds, and the outcome of some work. */
export interface WorkInstruments {
  readonly seconds: Histogram;
  readonly success: Counter;
  /** Returns the counter for an error that the work has thrown. */
  readonly failure: (error: unknown) => Counter;
}

/**
 * Runs `work`, and records its outcome and its duration.
 * @param now returns the current time, epoch milliseconds
 * @returns what `work` returns. Throws what `work` throws.
 */
export async function recordWork<T>(
  instruments: WorkInstruments,
  now: () => number,
  work: () => Promise<T>,
): Promise<T> {
  const began = now();
  try {
    const result = await work();
    instruments.success.add();
    return result;
  } catch (error) {
    instruments.failure(error).add();
    throw error;
  } finally {
    instruments.seconds.observe((now() - began) / 1000);
  }
}

/**
 * Runs `work`, and keeps the gauge increased by 1 until `work` ends. Returns what `work` returns.
 * Throws the errors of `work`.
 */
export async function trackInProgress<T>(gauge: Gauge, work: () => Promise<T>): Promise<T> {
  gauge.add(1);
  try {
    return await work();
  } finally {
    gauge.add(-1);
  }
}
