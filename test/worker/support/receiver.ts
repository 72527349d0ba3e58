import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { asAdmin } from "./outcomes.ts";
import type { Json } from "./client.ts";

/** A request that a webhook receiver received. */
interface Received {
  readonly url: string;
  readonly headers: Headers;
  /** The body as text. The signature covers exactly this text. */
  readonly body: string;
}

/** Replaces `fetch` by a webhook receiver that records requests and responds with `answer()`. */
export function receiver(
  answer: () => Response | Promise<Response> = () => new Response("thank you"),
) {
  const received: Received[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const request = new Request(url, init);
    received.push({ url, headers: request.headers, body: await request.text() });
    return answer();
  });
  return received;
}

export const deliveriesOf = async (integrationId: number, query = ""): Promise<Json> =>
  (await asAdmin("GET", `/api/v1/integrations/${integrationId}/deliveries${query}`)).body;

let events = 0;
/** Inserts a webhook delivery of `flag.created` after its 8th attempt. Returns its id. */
export async function endedDelivery(
  integration: { readonly id: number; readonly projectId: number },
  status: "dead" | "succeeded" = "dead",
): Promise<number> {
  const now = Date.now();
  const eventId = `${(events += 1)}-${crypto.randomUUID()}`;
  await env.DB.prepare(
    `INSERT INTO outbox (event_id, type, project_id, entity_id, sequence, actor_kind, actor_name, data,
      trace_id, created_at) VALUES (?, 'flag.created', ?, 1, 1, 'user', 'ann@example.com',
      '{"flag":{"key":"k"}}', 't', ?)`,
  )
    .bind(eventId, integration.projectId, now)
    .run();
  const row = await env.DB.prepare(
    `INSERT INTO webhook_deliveries (event_id, integration_id, status, attempts, due_at, relayed_at,
      created_at, completed_at) SELECT id, ?, ?, 8, ?, ?, ?, ? FROM outbox WHERE event_id = ? RETURNING id`,
  )
    .bind(integration.id, status, now, now, now, now, eventId)
    .first<{ id: number }>();
  return row?.id ?? 0;
}
