import { countDeliveries, remainingDeliveries } from "../../db/outbox.ts";
import { sql } from "drizzle-orm";
import type { JobDeps } from "../deps.ts";
import * as queries from "./queries.ts";
import type { WaitingRow } from "./queries.ts";

/** As many messages as a queue takes at once. */
const BATCH = 100;

/** Enough for 5,000 deliveries; the next run goes on. */
const MAX_BATCHES = 50;

/** Hands deliveries that no queue has heard of to the queue. Errors: the database's, the queue's. */
export const relay = (deps: JobDeps): Promise<void> =>
  handOver(deps, () => queries.unrelayed(BATCH));

/** The same, and those that were lost on their way. */
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
    // After the queue has them: a Worker that ends in between sends them twice, not never.
    const ids = rows.map(({ deliveryId }) => deliveryId);
    await deps.record([queries.markRelayed(ids, deps.now())]);
    if (rows.length < BATCH) return;
  }
}

/** Sets held deliveries on their way, the oldest first, as far as the month's quota goes. */
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
