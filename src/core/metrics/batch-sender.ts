import { type MetricsBatch, REMEMBER_MS } from "./totals.ts";
import type { MetricsRegistry } from "./registry.ts";

/** A batch that could not be told for so long is given up: it might be counted twice. */
const GIVE_UP_MS = REMEMBER_MS / 2;

/**
 * What an isolate has to tell, batch by batch. A batch whose telling failed may have arrived all the
 * same: it stays as it is and goes first, while what happens since gathers for the next.
 */
export class BatchSender {
  readonly #metrics: MetricsRegistry;
  readonly #isolate: string;
  #sequence = 0;
  #told: { readonly batch: MetricsBatch; readonly since: number } | undefined;

  constructor(metrics: MetricsRegistry, isolate: string) {
    this.#metrics = metrics;
    this.#isolate = isolate;
  }

  /** Whether the next batch has been told before, and nobody said that it arrived. */
  get isUnconfirmed(): boolean {
    return this.#told !== undefined;
  }

  /** What is to be told next; undefined: nothing. `now` in epoch milliseconds. */
  next(now: number): MetricsBatch | undefined {
    if (this.#told && this.#told.since < now - GIVE_UP_MS) this.#told = undefined;
    if (this.#told) return this.#told.batch;
    const counts = this.#metrics.take();
    if (counts.length === 0) return undefined;
    this.#sequence += 1;
    const gauges = this.#metrics.gauges();
    const batch = { isolate: this.#isolate, sequence: this.#sequence, counts, gauges };
    this.#told = { batch, since: now };
    return batch;
  }

  /** It arrived. */
  confirm({ sequence }: MetricsBatch): void {
    if (this.#told?.batch.sequence === sequence) this.#told = undefined;
  }
}
