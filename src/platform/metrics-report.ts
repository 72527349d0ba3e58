import { FlushTimer, type TimerPorts } from "../core/lib/flush-timer.ts";
import { BatchSender } from "../core/metrics/batch-sender.ts";
import { sumSamples } from "../core/metrics/totals.ts";
import { now, wait } from "./clock.ts";
import { reportFault } from "./fault.ts";
import { withTimeout } from "./timeout.ts";
import { metrics } from "./metrics.ts";
import { flushSeconds, SHARDS } from "./metrics-shards.ts";

/** An object that does not answer by then counts as away. */
const ANSWER_MS = 5_000;

interface Teller {
  readonly batches: BatchSender;
  readonly shard: number;
}

/** Drawn when it is first needed: outside of a request there is no randomness. */
let teller: Teller | undefined;
const timer = new FlushTimer();

const shardOf = (env: Env, shard: number) => env.METRICS.getByName(`shard-${shard}`);

/** To be called after something was counted: it is told after `METRICS_FLUSH_SECONDS`, if they are not 0. */
export function reportMetricsSoon(env: Env, ctx: Pick<ExecutionContext, "waitUntil">): void {
  if (timer.isSet(now())) return;
  const seconds = flushSeconds(env);
  if (seconds === 0) return;
  const ports: TimerPorts = { now, wait, later: (work) => ctx.waitUntil(work) };
  timer.set(ports, seconds * 1000, () => flush(env));
}

async function flush(env: Env): Promise<void> {
  teller ??= {
    batches: new BatchSender(metrics, crypto.randomUUID()),
    shard: Math.floor(Math.random() * SHARDS),
  };
  const { batches, shard } = teller;
  try {
    // First what may not have arrived, then what has happened since.
    const tellings = batches.isUnconfirmed ? 2 : 1;
    for (let telling = 0; telling < tellings; telling++) {
      const batch = batches.next(now());
      if (!batch) return;
      await withTimeout(ANSWER_MS, async () => shardOf(env, shard).add(batch));
      batches.confirm(batch);
    }
  } catch (error) {
    reportFault("metrics", error);
  }
}

/**
 * What all isolates have told. Errors: an object's that cannot be asked, since a sum without its
 * part would be less than the last one.
 */
export async function readMetricTotals(env: Env): Promise<ReadonlyMap<string, number>> {
  const shards = Array.from({ length: SHARDS }, (_, shard) => shardOf(env, shard).read());
  return sumSamples(await withTimeout(ANSWER_MS, () => Promise.all(shards)));
}
