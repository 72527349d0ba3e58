import type { QueueName } from "../core/metrics/metric-families.ts";
import type { WebhookMessage } from "../jobs/deps.ts";
import { deliverUsage } from "../jobs/usage/deliver.ts";
import { beginDeliveries } from "../jobs/webhooks/deliver.ts";
import { markDeadDeliveries } from "../jobs/webhooks/dead-letters.ts";
import { reportJobFault } from "./runtime/fault.ts";
import { jobDeps } from "./jobs.ts";
import { observeLag } from "./runtime/metrics.ts";
import { reportMetricsSoon } from "./runtime/metrics-report.ts";

/**
 * The consumer of each queue, by the last part of the queue's name. The first part names the
 * deployment (wrangler.toml).
 */
const CONSUMERS: readonly [
  QueueName,
  (env: Env, ctx: Background, bodies: readonly never[]) => Promise<void>,
][] = [
  ["webhooks", deliverWebhooks],
  ["usage", (env, _, bodies) => deliverUsage(jobDeps(env), bodies)],
  ["webhooks-dead", (env, _, bodies) => markDeadDeliveries(jobDeps(env), bodies)],
];

type Background = Pick<ExecutionContext, "waitUntil">;

async function deliverWebhooks(env: Env, ctx: Background, messages: readonly WebhookMessage[]) {
  const ids = messages.map(({ deliveryId }) => deliveryId);
  const attempts = await beginDeliveries(jobDeps(env), ids);
  ctx.waitUntil(attempts().finally(() => reportMetricsSoon(env, ctx)));
}

/**
 * The handler of batches of queue messages. The handler passes the whole batch to the queue's consumer. If
 * the consumer fails, the handler passes each message separately, so that only the failing messages are
 * retried. Queues deliver a message at least once, so every consumer is idempotent.
 */
export async function queue(batch: MessageBatch, env: Env, ctx: Background): Promise<void> {
  const consumer = CONSUMERS.find(([end]) => batch.queue.endsWith(`-${end}`));
  if (!consumer) throw new Error(`No consumer for the queue ${batch.queue}`);
  const [name, consume] = consumer;
  observeLag(
    name,
    batch.messages.map(({ timestamp }) => timestamp.getTime()),
  );
  const consumeAll = (messages: readonly Message[]) =>
    consume(
      env,
      ctx,
      messages.map(({ body }) => body as never),
    );
  try {
    await consumeAll(batch.messages);
  } catch (error) {
    reportJobFault(`a batch of ${batch.queue}`, error);
    await Promise.all(batch.messages.map((message) => consumeAlone(message, consumeAll)));
  }
  reportMetricsSoon(env, ctx);
}

/**
 * The delay before a failed queue message is delivered again, in seconds. The delay starts at 30 s
 * and doubles with each attempt, up to an hour. The 20 retries of the usage queue (wrangler.toml)
 * take 14 hours, so a database outage of half a day loses no usage.
 */
const retryDelay = (attempts: number): number =>
  Math.min(3_600, 30 * 2 ** Math.max(0, attempts - 1));

async function consumeAlone(
  message: Message,
  consume: (messages: readonly Message[]) => Promise<void>,
): Promise<void> {
  try {
    await consume([message]);
    message.ack();
  } catch (error) {
    reportJobFault(
      "a message of a queue",
      error,
      (message.body as Partial<WebhookMessage> | null)?.traceId,
    );
    message.retry({ delaySeconds: retryDelay(message.attempts) });
  }
}
