import { HOUR_MS } from "../lib/time.ts";
import type { Sample } from "./registry.ts";

/** What one isolate reports at a time. A repetition is identical to the first sending. */
export interface MetricsBatch {
  /** A name that no other isolate has. */
  readonly isolate: string;
  /** Grows by one with each batch of the isolate, from 1. */
  readonly sequence: number;
  /** Increases since the batch before. */
  readonly counts: readonly Sample[];
  /** Current values. */
  readonly gauges: readonly Sample[];
}

interface Isolate {
  /** Of its last batch. */
  readonly sequence: number;
  /** When its last batch came, epoch milliseconds. */
  readonly at: number;
  readonly gauges: readonly Sample[];
}

/** The sum of all batches. A Durable Object stores this value, so its fields must keep their names. */
export interface Totals {
  readonly counts: Map<string, number>;
  readonly isolates: Map<string, Isolate>;
}

/** The gauges of an isolate count for this long after its last batch: the isolate may be gone. */
export const GAUGE_MS = 60_000;

/** A repeated batch is recognised for this long after the isolate's last batch. */
export const REMEMBER_MS = HOUR_MS;

export const emptyTotals = (): Totals => ({ counts: new Map(), isolates: new Map() });

/** Adds a batch to the totals. Returns false, and changes nothing, when it was added before. */
export function addBatch(totals: Totals, batch: MetricsBatch, now: number): boolean {
  const { counts, isolates } = totals;
  const { isolate, sequence, gauges } = batch;
  if (sequence <= (isolates.get(isolate)?.sequence ?? 0)) return false;
  for (const [key, n] of batch.counts) counts.set(key, (counts.get(key) ?? 0) + n);
  isolates.set(isolate, { sequence, at: now, gauges });
  for (const [name, { at }] of isolates) if (at < now - REMEMBER_MS) isolates.delete(name);
  return true;
}

/** All counts, and the gauges of the isolates that reported within `GAUGE_MS`. */
export function currentValues({ counts, isolates }: Totals, now: number): Map<string, number> {
  const recent = [...isolates.values()].filter(({ at }) => at > now - GAUGE_MS);
  return sumSamples([counts, ...recent.map(({ gauges }) => gauges)]);
}

/** The sum of the samples with the same key. */
export function sumSamples(lists: readonly Iterable<Sample>[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const samples of lists)
    for (const [key, n] of samples) sums.set(key, (sums.get(key) ?? 0) + n);
  return sums;
}
