import type { JobDeps, WebhookMessage } from "../deps.ts";
import { markDead } from "./queries.ts";

/**
 * The consumer of the dead-letter queue of webhooks. Marks webhook deliveries without attempts left
 * as dead; a user can send them again. The queue also puts a message here when the webhook consumer
 * kept failing, for example because the database was down: such a delivery stays pending, and a
 * cron job finds it overdue.
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
      deps.fault("webhooks", new Error(`delivery ${deliveryId} is dead`), traceId);
}
