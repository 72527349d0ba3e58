import { countDeliveries, remainingDeliveries } from "../../db/outbox.ts";
import { sql } from "drizzle-orm";
import type { JobDeps } from "../deps.ts";
import * as queries from "./queries.ts";
import type { WaitingRow } from "./queries.ts";

/** The maximum number of messages in one `sendBatch` of Cloudflare Queues. */
const BATCH = 100;

/**
 * The maximum number of `sendBatch` calls in one `handOver`. Together they send at most 5,000
 * deliveries. The next run sends the rest.
 */
const MAX_BATCHES = 50;

/** Sends new webhook deliveries to the webhook queue. Throws the errors of the database or the queue. */
export const relay = (deps: JobDeps): Promise<void> =>
  handOver(deps, () => queries.unrelayed(BATCH));

/**
 * The job that sends new webhook deliveries to the webhook queue. Also sends deliveries again that
 * the queue or a stopped Worker has lost. Throws the errors of the database or the queue.
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
    // Marks deliveries as sent only after the queue has accepted them. If the Worker stops in
    // between, they are sent twice rather than lost.
    const ids = rows.map(({ deliveryId }) => deliveryId);
    await deps.record([queries.markRelayed(ids, deps.now())]);
    if (rows.length < BATCH) return;
  }
}

/**
 * The job that releases webhook deliveries that a monthly quota held back. It releases the oldest
 * deliveries of each project first, as far as the project's quota of this month allows. Deliveries
 * of disabled integrations stay held. Throws the errors of the database.
 */
export async function releaseHeld(deps: JobDeps): Promise<void> {
  const now = deps.now();
  const { limit } = deps.webhooks;
  const held = sql`FROM webhook_deliveries d JOIN integrations i ON i.id = d.integration_id
    WHERE d.status = 'held' AND i.enabled = 1`;
  const [projects = []] = await deps.record<{ projectId: number }>([
    sql`SELECT DISTINCT i.project_id AS projectId ${held}
      AND ${remainingDeliveries(now, limit, sql`i.project_id`)} > 0`,
  ]);
  if (projects.length === 0) return;
  await deps.record(
    projects.flatMap(({ projectId }) => [
      sql`UPDATE webhook_deliveries SET status = 'pending', due_at = ${now} WHERE id IN
        (SELECT d.id ${held} AND i.project_id = ${projectId} ORDER BY d.id
          LIMIT ${remainingDeliveries(now, limit, sql`${projectId}`)})`,
      countDeliveries(now, sql`SELECT ${projectId} AS project_id, changes() AS n`),
    ]),
  );
}
