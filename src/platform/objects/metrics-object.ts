import { DurableObject } from "cloudflare:workers";
import { TotalsStore } from "../../core/metrics/totals-store.ts";
import type { MetricsBatch, Totals } from "../../core/metrics/totals.ts";
import { now, wait } from "../runtime/clock.ts";
import { flushSeconds, SAVE_PAUSE } from "../runtime/metrics-shards.ts";

const TOTALS = "totals";

/**
 * A Durable Object that stores one shard of the metrics: the sums of the metrics batches of the
 * isolates that chose this shard.
 */
export class MetricsObject extends DurableObject<Env> {
  readonly #store = new TotalsStore(
    {
      now,
      wait,
      load: () => this.ctx.storage.kv.get<Totals>(TOTALS),
      save: (totals) => this.ctx.storage.kv.put(TOTALS, totals),
    },
    flushSeconds(this.env) * 1000 * SAVE_PAUSE,
  );

  /**
   * Adds a metrics batch of an isolate, and resolves when the batch is saved. A repeated batch is
   * counted once.
   */
  async add(batch: MetricsBatch): Promise<void> {
    await this.#store.add(batch);
  }

  /** Returns the metrics of this shard: a map from each sample's key to its value. */
  async read(): Promise<Map<string, number>> {
    return this.#store.read();
  }
}
