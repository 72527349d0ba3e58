import { DurableObject } from "cloudflare:workers";
import { TotalsStore } from "../core/metrics/totals-store.ts";
import type { MetricsBatch, Totals } from "../core/metrics/totals.ts";
import { now, wait } from "./clock.ts";
import { flushSeconds, SAVE_PAUSE } from "./metrics-shards.ts";

const TOTALS = "totals";

/**
 * A Durable Object with the metrics of one shard: it adds up the batches of some of the isolates.
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

  /** Adds a batch, and resolves when it is saved. A repeated batch is counted once. */
  async add(batch: MetricsBatch): Promise<void> {
    await this.#store.add(batch);
  }

  /** Returns the value of each sample by its key. */
  async read(): Promise<Map<string, number>> {
    return this.#store.read();
  }
}
