import { env } from "cloudflare:workers";
import type { JobDeps, WebhookMessage } from "../../../src/jobs/deps.ts";
import { beginDeliveries } from "../../../src/jobs/webhooks/deliver.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import { adminToken } from "../support/people.ts";
import type { Json } from "../support/client.ts";
import { newIntegration, newProject, unique } from "../support/world.ts";
import { callWith } from "../support/call-with.ts";

/** A call as a receiver gets it. */
export interface Received {
  readonly url: string;
  readonly headers: Headers;
  readonly body: Json;
}

/** A queue that remembers what it was sent, and passes nothing on. */
function heldQueue() {
  const sent: { body: WebhookMessage; delaySeconds?: number }[] = [];
  const send: JobDeps["webhooks"]["queue"]["send"] = async (messages) => {
    sent.push(...messages);
  };
  return { sent, send };
}

/** The outside world of the jobs, real but for the network, the queues and, if given, the clock. */
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
  return {
    deps,
    received,
    faults,
    queue: queue.sent,
    dead: dead.sent,
    /** Lets that much time pass. */
    wait: (ms: number) => {
      ahead += ms;
    },
    /** As the consumer does, to the end. */
    deliver: async (ids: readonly number[]) => {
      const attempts = await beginDeliveries(deps, ids);
      await attempts();
    },
  };
}

export const ok = () => new Response("thank you");
export const broken = () => new Response("no", { status: 500 });

/** A queue binding that takes nothing: what is committed stays where it is. */
export const QUEUE_AWAY = {
  sendBatch: async () => {
    throw new Error("the queue is away");
  },
} as unknown as Queue;

/** A call whose events nobody hands over. */
export async function unrelayed(method: string, path: string, body?: object): Promise<Json> {
  const options = { token: await adminToken(), body };
  const answer = await callWith({ WEBHOOKS: QUEUE_AWAY }, method, `/api/v1/${path}`, options);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** A flag of whose creation no queue has heard. */
export const newUnheardFlag = (projectId: number): Promise<Json> =>
  unrelayed("POST", "flags", {
    key: unique("flag"),
    name: "A flag",
    flagType: "RELEASE",
    projectId,
  });

/** A project with an integration, and the deliveries of that many changes, which no queue has. */
export async function newDeliveries(changes: number) {
  const { id: projectId } = await newProject();
  const integration = await newIntegration(projectId);
  const flags: Json[] = [];
  for (let n = 0; n < changes; n++) flags.push(await newUnheardFlag(projectId));
  return { projectId: projectId as number, integration, flags, ids: await idsOf(integration.id) };
}

export async function idsOf(integrationId: number): Promise<number[]> {
  const { results } = await env.DB.prepare(
    "SELECT id FROM webhook_deliveries WHERE integration_id = ? ORDER BY id",
  )
    .bind(integrationId)
    .all<{ id: number }>();
  return results.map(({ id }) => id);
}

export async function deliveryRow(id: number): Promise<Json> {
  return env.DB.prepare("SELECT * FROM webhook_deliveries WHERE id = ?").bind(id).first();
}
