import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { asAdmin, outcome } from "../support/outcomes.ts";
import type { Json } from "../support/client.ts";
import { ADMIN } from "../support/people.ts";
import { deliveriesOf, receiver } from "../support/receiver.ts";
import { auditOf, eventsOf } from "../support/records.ts";
import { time } from "../support/shapes.ts";
import { newIntegration, newProject } from "../support/world.ts";

let integration: Json;
const test = (id: number) => asAdmin("POST", `/api/v1/integrations/${id}/test`);

beforeEach(async () => {
  // A test is sent although the integration subscribes to no webhook event.
  integration = await newIntegration((await newProject()).id, { eventSubscriptionsJson: "[]" });
});

describe("a test of an integration", () => {
  it("sends the webhook event before the API responds, and returns the response of the receiver", async () => {
    const calls = receiver(() => new Response("well received", { status: 202 }));
    const answer = await test(integration.id);
    expect(answer.status).toBe(200);
    const { id, name, projectId } = integration;
    const request = {
      type: "integration.test",
      timestamp: time,
      data: {
        projectId,
        actor: { kind: "user", name: ADMIN.email },
        integration: { id, name },
      },
    };
    expect(answer.body).toEqual({
      id: expect.any(Number),
      webhookId: expect.stringMatching(/^[0-9a-f]{32}$/),
      type: "integration.test",
      status: "succeeded",
      heldReason: null,
      attempts: 1,
      createdAt: time,
      nextAttemptAt: null,
      completedAt: time,
      request,
      attemptLog: [
        {
          at: time,
          status: 202,
          durationMs: expect.any(Number),
          response: "well received",
          error: null,
        },
      ],
    });
    expect(calls.map(({ url, body }) => [url, JSON.parse(body)])).toEqual([
      ["https://receiver.example.com/hook", answer.body.request],
    ]);
    expect((await deliveriesOf(id)).items).toEqual([answer.body]);
    expect((await asAdmin("GET", `/api/v1/integrations/${id}`)).body.lastSuccessAt).toMatch(/Z$/);
  });

  it("makes only one attempt, returns the error of the receiver, and cannot be sent again", async () => {
    const calls = receiver(() => new Response("no", { status: 500 }));
    const answer = await test(integration.id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: "dead",
      attempts: 1,
      nextAttemptAt: null,
      completedAt: time,
      attemptLog: [{ status: 500, response: "no", error: "The receiver returned 500" }],
    });
    const status = async () =>
      env.DB.prepare("SELECT status FROM webhook_deliveries WHERE id = ?")
        .bind(answer.body.id)
        .first("status");
    await expect.poll(status).toBe("dead");
    expect(calls).toHaveLength(1);
    const again = `/api/v1/integrations/${integration.id}/deliveries/${answer.body.id}/redeliver`;
    expect(outcome(await asAdmin("POST", again))).toBe("409 CONFLICT");
  });

  it("returns the network error when no response arrives", async () => {
    receiver(() => {
      throw new Error("Network connection lost.");
    });
    const { body } = await test(integration.id);
    expect(body).toMatchObject({
      status: "dead",
      attemptLog: [
        {
          status: null,
          response: null,
          error: "The receiver refused or closed the connection before it responded",
        },
      ],
    });
  });

  it("sends a new webhook event each time, without a sequence number, and is audited", async () => {
    receiver();
    const [one, two] = [await test(integration.id), await test(integration.id)];
    expect(one.body.webhookId).not.toBe(two.body.webhookId);
    const { id, projectId } = integration;
    expect(await eventsOf(one)).toMatchObject([
      { type: "integration.test", sequence: null, entity_id: id, fanned_out: 1 },
    ]);
    const about = { entity_type: "integration", entity_id: id, project_id: projectId };
    expect(await auditOf(one)).toMatchObject([
      { ...about, action: "integration.tested", before: null, after: null },
    ]);
  });

  it("leaves the quota of webhook deliveries as it was", async () => {
    const limit = async () => (await asAdmin("GET", "/api/v1/integrations/webhook-limit")).body;
    const before = await limit();
    for (const status of [200, 500]) {
      receiver(() => new Response(null, { status }));
      await test(integration.id);
    }
    expect(await limit()).toEqual(before);
  });

  it("returns 409 while the integration is disabled, and sends nothing", async () => {
    const calls = receiver();
    await asAdmin("PUT", `/api/v1/integrations/${integration.id}`, { enabled: false });
    const answer = await test(integration.id);
    expect(outcome(answer)).toBe("409 CONFLICT");
    expect(await auditOf(answer)).toEqual([]);
    expect(await eventsOf(answer)).toEqual([]);
    expect(calls).toEqual([]);
  });
});
