import type { MetricsRegistry } from "./registry.ts";
import { type MetricsBatch, REMEMBER_MS } from "./totals.ts";

/**
 * After this long an unconfirmed batch is dropped. The receiver recognises a repeated batch for
 * `REMEMBER_MS`; a later repetition would be counted twice.
 */
const GIVE_UP_MS = REMEMBER_MS / 2;

/**
 * Turns the registry of one isolate into numbered batches, one in flight at a time. A batch whose
 * sending failed may have arrived: it is repeated unchanged until confirmed, and new counts wait.
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

  /** Whether `next` returns a batch that it has returned before. */
  get isUnconfirmed(): boolean {
    return this.#inFlight !== undefined;
  }

  /** The next batch to send; undefined when nothing was counted. `now` in epoch milliseconds. */
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

  /** To be called once the receiver has saved the batch. */
  confirm({ sequence }: MetricsBatch): void {
    if (this.#inFlight?.batch.sequence === sequence) this.#inFlight = undefined;
  }
}
