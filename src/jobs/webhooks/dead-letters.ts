import type { JobDeps, WebhookMessage } from "../deps.ts";
import { markDead } from "./queries.ts";

/**
 * The consumer of the dead-letter queue. A delivery whose attempts are used up is dead, and waits for
 * somebody to send it again. One that came here because the consumer could not work, as with the
 * database away, is none: it is found overdue and goes on.
 */
export async function markDeadDeliveries(
  deps: JobDeps,
  messages: readonly WebhookMessage[],
): Promise<void> {
  const ids = messages.map(({ deliveryId }) => deliveryId);
  const [buried = []] = await deps.record<{ deliveryId: number }>([markDead(ids, deps.now())]);
  const dead = new Set(buried.map(({ deliveryId }) => deliveryId));
  deps.webhooks.count("dead", dead.size);
  for (const { deliveryId, traceId } of messages)
    if (dead.has(deliveryId))
      deps.fault("webhooks", new Error(`delivery ${deliveryId} is dead`), traceId);
}
