import { countDeliveries, remainingDeliveries } from "../../db/outbox.ts";
import { sql } from "drizzle-orm";
import type { JobDeps } from "../deps.ts";
import * as queries from "./queries.ts";
import type { WaitingRow } from "./queries.ts";

/** The most messages in one `sendBatch` of Cloudflare Queues. */
const BATCH = 100;

/**
 * The most `sendBatch` calls of one `handOver`, which makes 5,000 deliveries. The next run
 * continues.
 */
const MAX_BATCHES = 50;

/**
 * Sends new webhook deliveries to the webhook queue. Throws whatever the database or the queue
 * throws.
 */
export const relay = (deps: JobDeps): Promise<void> =>
  handOver(deps, () => queries.unrelayed(BATCH));

/**
 * The job that sends new webhook deliveries to the webhook queue, and sends those again that the
 * queue or a stopped Worker lost. Throws whatever the database or the queue throws.
 */
export async function relayLost(deps: JobDeps): Promise<void> {
  await relay(deps);
  await handOver(deps, () => queries.overdue(deps.now(), BATCH));
}

async function handOver(
  deps: JobDeps,
  waiting: () => ReturnType<typeof queries.unrelayed>,
): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const [rows = []] = await deps.record<WaitingRow>([waiting()]);
    if (rows.length === 0) return;
    await deps.webhooks.queue.send(rows.map((body) => ({ body })));
    // Deliveries are marked only after the queue has accepted them. If the Worker stops in between,
    // they are sent twice rather than lost.
    const ids = rows.map(({ deliveryId }) => deliveryId);
    await deps.record([queries.markRelayed(ids, deps.now())]);
    if (rows.length < BATCH) return;
  }
}

/**
 * The job that releases webhook deliveries that the monthly quota held back, the oldest first, as
 * far as the quota of this month allows. Throws whatever the database throws.
 */
export async function releaseHeld(deps: JobDeps): Promise<void> {
  const now = deps.now();
  const { limit } = deps.webhooks;
  await deps.record([
    sql`UPDATE webhook_deliveries SET status = 'pending', due_at = ${now} WHERE id IN
      (SELECT id FROM webhook_deliveries WHERE status = 'held' ORDER BY id
        LIMIT ${remainingDeliveries(now, limit)})`,
    countDeliveries(now, sql`SELECT changes()`),
  ]);
}
