import { FlushTimer, type TimerPorts } from "../../core/lib/flush-timer.ts";
import { BatchSender } from "../../core/metrics/batch-sender.ts";
import { sumSamples } from "../../core/metrics/totals.ts";
import { now, wait } from "./clock.ts";
import { reportFault } from "./fault.ts";
import { metrics } from "./metrics.ts";
import { flushSeconds, SHARDS } from "./metrics-shards.ts";
import { withTimeout } from "./timeout.ts";

/** The timeout of one call to a metrics object (a Durable Object), milliseconds. */
const CALL_TIMEOUT_MS = 5_000;

interface Sender {
  readonly batches: BatchSender;
  readonly shard: number;
}

/**
 * The sender of this isolate's metrics batches. Created in the first flush, because Workers have no
 * randomness outside of a request.
 */
let sender: Sender | undefined;
const timer = new FlushTimer();

const shardOf = (env: Env, shard: number) => env.METRICS.getByName(`shard-${shard}`);

/**
 * Call this function after a metric has changed. The isolate reports its metrics
 * `METRICS_FLUSH_SECONDS` after the first call since the last report. The value 0 turns reporting
 * off.
 */
export function reportMetricsSoon(env: Env, ctx: Pick<ExecutionContext, "waitUntil">): void {
  if (timer.isSet(now())) return;
  const seconds = flushSeconds(env);
  if (seconds === 0) return;
  const ports: TimerPorts = { now, wait, later: (work) => ctx.waitUntil(work) };
  timer.set(ports, seconds * 1000, () => flush(env));
}

async function flush(env: Env): Promise<void> {
  sender ??= {
    batches: new BatchSender(metrics, crypto.randomUUID()),
    shard: Math.floor(Math.random() * SHARDS),
  };
  const { batches, shard } = sender;
  try {
    // If the last metrics batch is unconfirmed, sends it first, and then a batch with the newer
    // counts.
    const sendings = batches.isUnconfirmed ? 2 : 1;
    for (let sending = 0; sending < sendings; sending++) {
      const batch = batches.next(now());
      if (!batch) return;
      await withTimeout(CALL_TIMEOUT_MS, async () => shardOf(env, shard).add(batch));
      batches.confirm(batch);
    }
  } catch (error) {
    reportFault("metrics", error);
  }
}

/**
 * Returns the metrics of all isolates: a map from each sample's key to its value. Throws when one shard fails
 * or does not respond. A sum without this shard would be too low, and counters must not decrease.
 */
export async function readMetricTotals(env: Env): Promise<ReadonlyMap<string, number>> {
  const shards = Array.from({ length: SHARDS }, (_, shard) => shardOf(env, shard).read());
  return sumSamples(await withTimeout(CALL_TIMEOUT_MS, () => Promise.all(shards)));
}
