import type { JobDeps, WebhookMessage } from "../deps.ts";
import { markDead } from "./queries.ts";

/**
 * The consumer of the dead-letter queue of webhooks. Marks webhook deliveries without attempts left as dead.
 * A user can send a dead delivery again. The webhook queue also moves a message to this queue when the
 * webhook consumer keeps failing, for example because the database is down. The delivery of such a message
 * stays pending, and a cron job later finds the delivery overdue.
 */
export async function markDeadDeliveries(
  deps: JobDeps,
  messages: readonly WebhookMessage[],
): Promise<void> {
  const ids = messages.map(({ deliveryId }) => deliveryId);
  const [marked = []] = await deps.record<{ deliveryId: number }>([markDead(ids, deps.now())]);
  const dead = new Set(marked.map(({ deliveryId }) => deliveryId));
  deps.webhooks.count("dead", dead.size);
  for (const { deliveryId, traceId } of messages)
    if (dead.has(deliveryId))
      deps.fault(
        "webhooks",
        new Error(`delivery ${deliveryId} is dead: no attempt is left`),
        traceId,
      );
}
