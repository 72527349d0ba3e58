import type { QueueName } from "../core/metrics/metric-families.ts";
import type { JobDeps, WebhookMessage } from "../jobs/deps.ts";
import { reseal } from "../jobs/reseal.ts";
import { sweep } from "../jobs/sweep.ts";
import { rollUpUsage } from "../jobs/usage/roll-up.ts";
import { sweepCountedReports, sweepUsage } from "../jobs/usage/sweep.ts";
import { beginDeliveries } from "../jobs/webhooks/deliver.ts";
import { markDeadDeliveries } from "../jobs/webhooks/dead-letters.ts";
import { relayLost, releaseHeld } from "../jobs/webhooks/relay.ts";
import { reportJobFault } from "./fault.ts";
import { jobDeps } from "./jobs.ts";
import { observeLag } from "./metrics.ts";
import { reportMetricsSoon } from "./metrics-report.ts";

/** By the end of the queue's name, which is the same in every environment (wrangler.toml). */
const CONSUMERS: readonly [
  QueueName,
  (env: Env, ctx: Background, bodies: readonly never[]) => Promise<void>,
][] = [
  ["webhooks", deliverWebhooks],
  ["usage", (env, _, bodies) => rollUpUsage(jobDeps(env), bodies)],
  ["webhooks-dead", (env, _, bodies) => markDeadDeliveries(jobDeps(env), bodies)],
];

type Background = Pick<ExecutionContext, "waitUntil">;

async function deliverWebhooks(env: Env, ctx: Background, messages: readonly WebhookMessage[]) {
  const ids = messages.map(({ deliveryId }) => deliveryId);
  const attempts = await beginDeliveries(jobDeps(env), ids);
  ctx.waitUntil(attempts().finally(() => reportMetricsSoon(env, ctx)));
}

/**
 * A batch is taken as a whole; when that fails, message by message, so that a bad one is alone with
 * its retries. Consumers may get a message twice.
 */
export async function queue(batch: MessageBatch, env: Env, ctx: Background): Promise<void> {
  const consumer = CONSUMERS.find(([end]) => batch.queue.endsWith(`-${end}`));
  if (!consumer) throw new Error(`no consumer for the queue ${batch.queue}`);
  const [name, consume] = consumer;
  const sent = batch.messages.map(({ timestamp }) => timestamp.getTime());
  observeLag(name, sent);
  const take = (messages: readonly Message[]) =>
    consume(
      env,
      ctx,
      messages.map(({ body }) => body as never),
    );
  try {
    await take(batch.messages);
  } catch (error) {
    reportJobFault(`a batch of ${batch.queue}`, error);
    await Promise.all(batch.messages.map((message) => takeAlone(message, take)));
  }
  reportMetricsSoon(env, ctx);
}

/**
 * Seconds until a message comes again, by how often it came: over half a day with the twenty retries
 * of usage (wrangler.toml), so that an outage of that length loses nothing.
 */
const retryDelay = (attempts: number): number =>
  Math.min(3_600, 30 * 2 ** Math.max(0, attempts - 1));

async function takeAlone(
  message: Message,
  take: (messages: readonly Message[]) => Promise<void>,
): Promise<void> {
  try {
    await take([message]);
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

/** The crons of wrangler.toml. */
const EVERY_MINUTE = "* * * * *";

export async function scheduled(
  { cron }: { readonly cron: string },
  env: Env,
  ctx: Background,
): Promise<void> {
  const jobs: readonly ((deps: JobDeps) => Promise<unknown>)[] =
    cron === EVERY_MINUTE
      ? [releaseHeld, relayLost, sweepCountedReports]
      : [sweep, sweepUsage, reseal];
  for (const job of jobs)
    await job(jobDeps(env)).catch((error: unknown) => {
      reportJobFault(job.name, error);
    });
  reportMetricsSoon(env, ctx);
}
