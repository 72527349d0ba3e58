import { HOUR_MS } from "../lib/time.ts";
import type { Sample } from "./registry.ts";

/** What one isolate tells at a time. Repeated, it is the same to the letter. */
export interface MetricsBatch {
  /** Any name that no other isolate has. */
  readonly isolate: string;
  /** Grows by one with each batch of the isolate. */
  readonly sequence: number;
  readonly counts: readonly Sample[];
  readonly gauges: readonly Sample[];
}

interface Isolate {
  readonly sequence: number;
  /** When it was last heard of, epoch milliseconds. */
  readonly at: number;
  readonly gauges: readonly Sample[];
}

/** Everything that some isolates have told so far. */
export interface Totals {
  readonly counts: Map<string, number>;
  readonly isolates: Map<string, Isolate>;
}

/** What an isolate's gauges showed counts for so long. */
export const GAUGE_MS = 60_000;

/** For so long a batch that comes again is recognised. */
export const REMEMBER_MS = HOUR_MS;

export const emptyTotals = (): Totals => ({ counts: new Map(), isolates: new Map() });

/** Adds a batch, once. Answers whether it changed anything: not if it had been added before. */
export function addBatch(totals: Totals, batch: MetricsBatch, now: number): boolean {
  const { counts, isolates } = totals;
  const { isolate, sequence, gauges } = batch;
  if (sequence <= (isolates.get(isolate)?.sequence ?? 0)) return false;
  for (const [key, n] of batch.counts) counts.set(key, (counts.get(key) ?? 0) + n);
  isolates.set(isolate, { sequence, at: now, gauges });
  for (const [name, { at }] of isolates) if (at < now - REMEMBER_MS) isolates.delete(name);
  return true;
}

/** All counts, and the gauges of those isolates that were heard of lately. */
export function currentValues({ counts, isolates }: Totals, now: number): Map<string, number> {
  const heard = [...isolates.values()].filter(({ at }) => at > now - GAUGE_MS);
  return sumSamples([counts, ...heard.map(({ gauges }) => gauges)]);
}

/** Numbers of the same name added up. */
export function sumSamples(lists: readonly Iterable<Sample>[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const amounts of lists)
    for (const [key, n] of amounts) sums.set(key, (sums.get(key) ?? 0) + n);
  return sums;
}
