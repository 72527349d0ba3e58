import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { asAdmin, outcome } from "../support/outcomes.ts";
import type { Json } from "../support/client.ts";
import { deliveriesOf, endedDelivery, receiver } from "../support/receiver.ts";
import { auditOf } from "../support/records.ts";
import { time } from "../support/shapes.ts";
import { newIntegration, newProject } from "../support/world.ts";

const redeliver = (integration: Json, id: number) =>
  asAdmin("POST", `/api/v1/integrations/${integration.id}/deliveries/${id}/redeliver`);

async function installed(more: object = {}): Promise<Json> {
  return newIntegration((await newProject()).id, more);
}

/** Makes a delivery wait for its next attempt. */
const waiting = (
  id: number,
  { status = "pending", attempts, dueInMs }: { status?: string; attempts: number; dueInMs: number },
) =>
  env.DB.prepare(
    `UPDATE webhook_deliveries SET status = ?, attempts = ?, due_at = ?, completed_at = NULL
     WHERE id = ?`,
  )
    .bind(status, attempts, Date.now() + dueInMs, id)
    .run();

const rowOf = (id: number) =>
  env.DB.prepare("SELECT * FROM webhook_deliveries WHERE id = ?").bind(id).first<Json>();

beforeEach(() => {
  receiver();
});

describe("sending a webhook delivery again", () => {
  it.each(["dead", "succeeded"] as const)(
    "makes a %s delivery pending, and sends the same event again",
    async (was) => {
      const integration = await installed();
      const id = await endedDelivery(integration, was);
      const { items } = await deliveriesOf(integration.id);
      const calls = receiver();
      const answer = await redeliver(integration, id);
      expect(answer.status).toBe(202);
      expect(answer.body).toEqual({
        ...items[0],
        status: "pending",
        attempts: 0,
        nextAttemptAt: time,
        completedAt: null,
      });
      await expect.poll(async () => (await rowOf(id)).status).toBe("succeeded");
      expect(calls.map(({ headers }) => headers.get("webhook-id"))).toEqual([items[0].webhookId]);
      expect(await rowOf(id)).toMatchObject({ attempts: 1, completed_at: expect.any(Number) });
    },
  );

  it("retries a delivery that waits for a retry at once, keeps its number of attempts, and is audited", async () => {
    const integration = await installed();
    const id = await endedDelivery(integration);
    await waiting(id, { attempts: 3, dueInMs: 3_600_000 });
    const calls = receiver();
    const answer = await redeliver(integration, id);
    expect(answer.body).toMatchObject({ status: "pending", attempts: 3, nextAttemptAt: time });
    await expect.poll(async () => (await rowOf(id)).status).toBe("succeeded");
    expect(await rowOf(id)).toMatchObject({ attempts: 4 });
    expect(calls).toHaveLength(1);
    expect(await auditOf(answer)).toMatchObject([
      {
        action: "integration.redelivered",
        entity_type: "integration",
        entity_id: integration.id,
        project_id: integration.projectId,
        after: { deliveryId: id, type: "flag.created" },
      },
    ]);
  });

  it.each([
    { state: "waits for its first attempt", status: "pending", attempts: 0, dueInMs: 60_000 },
    { state: "is being attempted", status: "pending", attempts: 3, dueInMs: 20_000 },
    { state: "is held", status: "held", attempts: 3, dueInMs: 60_000 },
  ])("returns 409 when the delivery $state, and changes nothing", async ({ status, ...wait }) => {
    const integration = await installed();
    const id = await endedDelivery(integration);
    await waiting(id, { status, ...wait });
    const before = await rowOf(id);
    const answer = await redeliver(integration, id);
    expect(outcome(answer)).toBe("409 CONFLICT");
    expect(await rowOf(id)).toEqual(before);
    expect(await auditOf(answer)).toEqual([]);
  });

  it("succeeds for one of eight simultaneous requests, and returns 409 for the rest", async () => {
    const integration = await installed();
    const id = await endedDelivery(integration);
    // Keeps the first attempt open until all requests have a response.
    const answered = Promise.withResolvers<Response>();
    receiver(() => answered.promise);
    const answers = await Promise.all(Array.from({ length: 8 }, () => redeliver(integration, id)));
    answered.resolve(new Response());
    await expect.poll(async () => (await rowOf(id)).status).toBe("succeeded");
    expect(answers.map(outcome).toSorted()).toEqual(["202", ...Array(7).fill("409 CONFLICT")]);
  });

  it("returns 409 for a disabled integration", async () => {
    const integration = await installed({ enabled: false });
    const answer = await redeliver(integration, await endedDelivery(integration));
    expect(outcome(answer)).toBe("409 CONFLICT");
    expect(answer.body.error).toBe("The integration is disabled; enable it first");
  });

  it("returns 404 for a delivery of another integration and for an unknown delivery", async () => {
    const [mine, other] = [await installed(), await installed()];
    expect(outcome(await redeliver(mine, await endedDelivery(other)))).toBe("404 NOT_FOUND");
    expect(outcome(await redeliver(mine, 999_999))).toBe("404 NOT_FOUND");
  });

  it("succeeds after the eighth and last attempt, even when the stored status is still pending", async () => {
    const integration = await installed();
    const id = await endedDelivery(integration);
    const sql = `UPDATE webhook_deliveries SET status = 'pending', completed_at = NULL WHERE id = ?`;
    await env.DB.prepare(sql).bind(id).run();
    const { items } = await deliveriesOf(integration.id);
    expect(items[0]).toMatchObject({ status: "dead", nextAttemptAt: null, completedAt: time });
    expect((await redeliver(integration, id)).body).toMatchObject({ status: "pending" });
  });
});
