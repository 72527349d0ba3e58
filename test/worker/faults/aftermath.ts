import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { expect, vi } from "vitest";
import worker from "../../../src/worker.ts";
import { type Fault, type faultyEnvironment, loseAnswer } from "../support/faulty-bindings.ts";
import { minute } from "../support/minute.ts";
import { receiver } from "../support/receiver.ts";
import { deliverRest } from "../support/queue.ts";
import { completeHours, countsOf, evictUsageObject } from "../support/usage.ts";
import type { Modelled } from "./model.ts";
import type { Counts } from "./sdk-clients.ts";

type World = ReturnType<typeof faultyEnvironment>;

/** The most messages of a queue batch: `max_batch_size` of the usage queue in wrangler.toml. */
const MAX_BATCH = 100;

/**
 * Delivers the queue messages to the Worker in queue batches. Returns the bodies of the messages
 * that the Worker asks the queue to retry.
 */
async function handedOver(queue: string, bodies: object[], { env }: World): Promise<object[]> {
  const again: object[] = [];
  while (bodies.length > 0) {
    const some = bodies.splice(0, MAX_BATCH);
    const timestamp = new Date();
    const messages = some.map((body, n) => ({ id: String(n), timestamp, body, attempts: 1 }));
    const context = createExecutionContext();
    const batch = createMessageBatch(`feature-flags-${queue}`, messages);
    await worker.queue(batch, env, context);
    const { retryMessages } = await getQueueResult(batch, context);
    again.push(...retryMessages.map(({ msgId }) => some[Number(msgId)] ?? {}));
  }
  return again;
}

/**
 * Runs the cron job and the consumer of the webhook queue. Returns how many different webhook
 * events the receiver got.
 * Throws: Error if there is no integration.
 */
export async function deliveredFor(
  world: World,
  integrations: readonly { readonly name: string }[],
): Promise<number> {
  const received = receiver();
  await minute(world.env);
  await handedOver("webhooks", world.webhooks, world);
  vi.unstubAllGlobals();
  if (integrations.length === 0) throw new Error("there is no integration to deliver to");
  return new Set(received.map(({ headers }) => headers.get("webhook-id"))).size;
}

/**
 * Delivers the usage messages while the usage objects fail, lose a response and work, then evicts
 * the objects and completes the hours. Returns how often each flag was true: in the stored counts
 * (`counted`), and in the accepted usage reports (`accepted`).
 */
export async function countedIn(world: World, environments: readonly Modelled[], counts: Counts) {
  const faults: (Fault | undefined)[] = [{ mode: "fail" }, loseAnswer, undefined];
  const counted: Record<string, number> = {};
  const accepted = new Map<string, number>();
  const deliver = async () => {
    let left = world.usage;
    for (const fault of faults) {
      world.at.USAGE_OBJECTS.fault = fault;
      left = await handedOver("usage", left, world);
    }
    for (const { environmentId, flags, keys } of environments) {
      // Sends a mark of an SDK instance. With it, the isolate also sends the usage that it could
      // not deliver before.
      await deliverRest(keys[0] ?? "");
      for (const { id, key } of flags) [counted[key]] = await countsOf(id, environmentId);
    }
    return counted;
  };
  for (const { flags } of environments)
    for (const { key } of flags) accepted.set(key, counts.reported.get(key) ?? 0);
  await expect.poll(deliver).toEqual(Object.fromEntries(accepted));
  for (const { projectId } of environments) {
    await evictUsageObject(projectId);
    await completeHours(projectId);
  }
  await deliver();
  return { counted, accepted: Object.fromEntries(accepted) };
}
