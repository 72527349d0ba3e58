import { DurableObject } from "cloudflare:workers";
import { TotalsStore } from "../core/metrics/totals-store.ts";
import type { MetricsBatch, Totals } from "../core/metrics/totals.ts";
import { now, wait } from "./clock.ts";
import { flushSeconds, SHARE_OF_FLUSH } from "./metrics-shards.ts";

const TOTALS = "totals";

/** What a share of the isolates has counted. */
export class MetricsObject extends DurableObject<Env> {
  readonly #store = new TotalsStore(
    {
      now,
      wait,
      load: () => this.ctx.storage.kv.get<Totals>(TOTALS),
      save: (totals) => this.ctx.storage.kv.put(TOTALS, totals),
    },
    flushSeconds(this.env) * 1000 * SHARE_OF_FLUSH,
  );

  async add(batch: MetricsBatch): Promise<void> {
    await this.#store.add(batch);
  }

  async read(): Promise<Map<string, number>> {
    return this.#store.read();
  }
}
