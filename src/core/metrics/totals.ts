import { HOUR_MS } from "../lib/time.ts";
import type { Sample } from "./registry.ts";

/**
 * A metrics batch: the metrics that one isolate sends at a time. A repeated batch is identical to
 * the first one.
 */
export interface MetricsBatch {
  /** The name of the isolate, which no other isolate has. */
  readonly isolate: string;
  /** The number of the batch: 1 for the isolate's first batch, and one more for each further batch. */
  readonly sequence: number;
  /** The increases of counters and histograms since the previous batch. */
  readonly counts: readonly Sample[];
  readonly gauges: readonly Sample[];
}

interface Isolate {
  /** The sequence number of the isolate's last batch. */
  readonly sequence: number;
  /** When the isolate's last batch arrived, epoch milliseconds. */
  readonly at: number;
  readonly gauges: readonly Sample[];
}

/**
 * The sums of all metrics batches. A Durable Object stores this value, so its fields must keep their names.
 */
export interface Totals {
  readonly counts: Map<string, number>;
  readonly isolates: Map<string, Isolate>;
}

/**
 * How long the gauges of an isolate count after its last metrics batch, milliseconds. An isolate
 * that sends nothing for this long is probably gone.
 */
export const GAUGE_MS = 60_000;

/** How long a repeated metrics batch is recognised after the isolate's last batch, milliseconds. */
export const REMEMBER_MS = HOUR_MS;

export const emptyTotals = (): Totals => ({ counts: new Map(), isolates: new Map() });

/**
 * Adds a metrics batch to the totals. Returns false, and changes nothing, when the batch was added
 * before. `now`: epoch milliseconds.
 */
export function addBatch(totals: Totals, batch: MetricsBatch, now: number): boolean {
  const { counts, isolates } = totals;
  const { isolate, sequence, gauges } = batch;
  if (sequence <= (isolates.get(isolate)?.sequence ?? 0)) return false;
  for (const [key, n] of batch.counts) counts.set(key, (counts.get(key) ?? 0) + n);
  isolates.set(isolate, { sequence, at: now, gauges });
  for (const [name, { at }] of isolates) if (at < now - REMEMBER_MS) isolates.delete(name);
  return true;
}

/**
 * Returns the sums of all counts, and of the gauges of the isolates that sent a batch within
 * `GAUGE_MS`, by the key of the sample.
 */
export function currentValues({ counts, isolates }: Totals, now: number): Map<string, number> {
  const recent = [...isolates.values()].filter(({ at }) => at > now - GAUGE_MS);
  return sumSamples([counts, ...recent.map(({ gauges }) => gauges)]);
}

/** Returns the sums of the samples that have the same key, by that key. */
export function sumSamples(lists: readonly Iterable<Sample>[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const samples of lists)
    for (const [key, n] of samples) sums.set(key, (sums.get(key) ?? 0) + n);
  return sums;
}
