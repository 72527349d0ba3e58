import { env } from "cloudflare:workers";
import type { JobDeps, WebhookMessage } from "../../../src/jobs/deps.ts";
import { markDeadDeliveries } from "../../../src/jobs/webhooks/dead-letters.ts";
import { beginDeliveries } from "../../../src/jobs/webhooks/deliver.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import { adminToken } from "../support/people.ts";
import type { Json } from "../support/client.ts";
import { rows } from "../support/records.ts";
import { newIntegration, newProject, unique } from "../support/world.ts";
import { callWith } from "../support/call-with.ts";

/** A webhook request as its receiver gets it. */
export interface Received {
  readonly url: string;
  readonly headers: Headers;
  readonly body: Json;
}

/** A fake queue that keeps the messages that were sent, and delivers none of them. */
function heldQueue() {
  const sent: { body: WebhookMessage; delaySeconds?: number }[] = [];
  const send: JobDeps["webhooks"]["queue"]["send"] = async (messages) => {
    sent.push(...messages);
  };
  return { sent, send };
}

/**
 * The dependencies of the webhook jobs with a fake network, fake queues, no jitter and a clock that
 * `wait` moves. `answer` responds as the receiver. The database and the vault are real.
 */
export function world(answer: (call: Received, nth: number) => Response | Promise<Response>) {
  const received: Received[] = [];
  const queue = heldQueue();
  const dead = heldQueue();
  const faults: string[] = [];
  let ahead = 0;
  const real = jobDeps(env);
  const deps: JobDeps = {
    ...real,
    now: () => Date.now() + ahead,
    random: () => 0.5,
    fetch: async (url, init) => {
      const headers = new Headers(init.headers);
      const call = { url, headers, body: JSON.parse(init.body as string) };
      received.push(call);
      return answer(call, received.length);
    },
    webhooks: { ...real.webhooks, queue, dead },
    fault: (what, error) => {
      faults.push(`${what}: ${String(error)}`);
    },
  };
  /** Claims and attempts the webhook deliveries, as the queue consumer does. */
  const deliver = async (ids: readonly number[]) => {
    const attempts = await beginDeliveries(deps, ids);
    await attempts();
  };
  return {
    deps,
    received,
    faults,
    queue: queue.sent,
    dead: dead.sent,
    /** Moves the clock forward, milliseconds. */
    wait: (ms: number) => {
      ahead += ms;
    },
    deliver,
    /** Attempts the webhook deliveries, each time after the retry delay, in seconds. Returns the delays. */
    deliverTimes: async (count: number, ids: readonly number[]) => {
      const delays: number[] = [];
      for (let n = 0; n < count; n++) {
        await deliver(ids);
        delays.push(queue.sent.at(-1)?.delaySeconds ?? 0);
        ahead += (delays.at(-1) ?? 0) * 1000;
      }
      return delays;
    },
    /** Handles the messages of the dead-letter queue. */
    bury: () =>
      markDeadDeliveries(
        deps,
        dead.sent.map(({ body }) => body),
      ),
  };
}

export const ok = () => new Response("thank you");
export const broken = () => new Response("no", { status: 500 });

/** A webhook queue binding that always fails, so that webhook events stay in the outbox. */
export const QUEUE_AWAY = {
  sendBatch: async () => {
    throw new Error("the queue is unavailable");
  },
} as unknown as Queue;

/** Calls the management API while the webhook queue fails, so that events stay in the outbox. */
export async function unrelayed(method: string, path: string, body?: object): Promise<Json> {
  const options = { token: await adminToken(), body };
  const answer = await callWith({ WEBHOOKS: QUEUE_AWAY }, method, `/api/v1/${path}`, options);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Creates a flag whose webhook event was not sent to the queue. */
export const newUnqueuedFlag = (projectId: number): Promise<Json> =>
  unrelayed("POST", "flags", {
    key: unique("flag"),
    name: "A flag",
    flagType: "RELEASE",
    projectId,
  });

/** Creates a project with an integration and `changes` flags, whose deliveries are in no queue. */
export async function newDeliveries(changes: number) {
  const { id: projectId } = await newProject();
  const integration = await newIntegration(projectId);
  const flags: Json[] = [];
  for (let n = 0; n < changes; n++) flags.push(await newUnqueuedFlag(projectId));
  return { projectId: projectId as number, integration, flags, ids: await idsOf(integration.id) };
}

export async function idsOf(integrationId: number): Promise<number[]> {
  const sql = "SELECT id FROM webhook_deliveries WHERE integration_id = ? ORDER BY id";
  return (await rows(sql, integrationId)).map(({ id }) => id);
}

/** The row of a webhook delivery; undefined if it was deleted. */
export async function deliveryRow(id: number): Promise<Json> {
  return (await rows("SELECT * FROM webhook_deliveries WHERE id = ?", id))[0];
}
