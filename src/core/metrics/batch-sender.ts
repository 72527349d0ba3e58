import type { MetricsRegistry } from "./registry.ts";
import { type MetricsBatch, REMEMBER_MS } from "./totals.ts";

/**
 * How long an isolate repeats an unconfirmed metrics batch before it drops the batch, milliseconds. The
 * receiver recognises a repeated batch for `REMEMBER_MS`; after that it would count the batch twice.
 */
const GIVE_UP_MS = REMEMBER_MS / 2;

/**
 * Turns the metrics of one isolate into numbered batches, which are sent one at a time. When
 * sending fails, the batch may still have arrived. So `next` returns the same batch until it is
 * confirmed or too old. New counts wait for the next batch.
 */
export class BatchSender {
  readonly #metrics: MetricsRegistry;
  readonly #isolate: string;
  #sequence = 0;
  #inFlight: { readonly batch: MetricsBatch; readonly since: number } | undefined;

  /** @param isolate a name that no other isolate has */
  constructor(metrics: MetricsRegistry, isolate: string) {
    this.#metrics = metrics;
    this.#isolate = isolate;
  }

  /**
   * Whether a batch was returned by `next` and is not confirmed yet. `next` repeats this batch
   * unless it is too old.
   */
  get isUnconfirmed(): boolean {
    return this.#inFlight !== undefined;
  }

  /**
   * Returns the unconfirmed batch, or else a new one; undefined when nothing was counted. `now`:
   * epoch milliseconds.
   */
  next(now: number): MetricsBatch | undefined {
    if (this.#inFlight && this.#inFlight.since < now - GIVE_UP_MS) this.#inFlight = undefined;
    if (this.#inFlight) return this.#inFlight.batch;
    const counts = this.#metrics.take();
    if (counts.length === 0) return undefined;
    this.#sequence += 1;
    const gauges = this.#metrics.gauges();
    const batch = { isolate: this.#isolate, sequence: this.#sequence, counts, gauges };
    this.#inFlight = { batch, since: now };
    return batch;
  }

  /** Call this when the receiver has saved the metrics batch. */
  confirm({ sequence }: MetricsBatch): void {
    if (this.#inFlight?.batch.sequence === sequence) this.#inFlight = undefined;
  }
}
