import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { asAdmin, outcome } from "../support/outcomes.ts";
import type { Json } from "../support/client.ts";
import { adminToken } from "../support/people.ts";
import { endedDelivery, receiver } from "../support/receiver.ts";
import { newFlag, newIntegration, newProject, unique } from "../support/world.ts";
import { callWith } from "../support/call-with.ts";

/** Sends a request as the administrator, with this monthly quota of webhook deliveries. */
async function limited(limit: number, method: string, path: string, body?: object) {
  const quota = { QUOTA_WEBHOOK_DELIVERIES: String(limit) };
  return callWith(quota, method, `/api/v1/${path}`, { token: await adminToken(), body });
}

const limitOf = async (limit: number) =>
  (await limited(limit, "GET", "integrations/webhook-limit")).body;

const aFlag = (projectId: number) => ({
  key: unique("flag"),
  name: "A flag",
  flagType: "RELEASE",
  projectId,
});

/** How many webhook deliveries of an integration are held, and how many are not. */
async function counts(integrationId: number) {
  return env.DB.prepare(
    `SELECT count(*) FILTER (WHERE status = 'held') AS held,
      count(*) FILTER (WHERE status <> 'held') AS sent FROM webhook_deliveries WHERE integration_id = ?`,
  )
    .bind(integrationId)
    .first();
}

/** The number of webhook deliveries that earlier tests have used of the quota. */
let used: number;

beforeEach(async () => {
  receiver();
  ({ used } = await limitOf(0));
});

describe("the monthly quota of webhook deliveries", () => {
  it("is returned with the used and the remaining deliveries, and the time when it renews", async () => {
    const { id: projectId } = await newProject();
    await newIntegration(projectId);
    await newIntegration(projectId, { eventSubscriptionsJson: '["flag.created"]' });
    await newIntegration(projectId, { eventSubscriptionsJson: '["flag.deleted"]' });
    await newIntegration(projectId, { enabled: false });
    await newFlag(projectId);
    const now = new Date();
    const resetsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    expect(await limitOf(10_000)).toEqual({
      limit: 10_000,
      used: used + 2,
      remaining: 9998 - used,
      resetsAt: resetsAt.toISOString(),
    });
    expect(await limitOf(1)).toMatchObject({ limit: 1, used: used + 2, remaining: 0 });
  });

  it("is exact for 20 simultaneous changes, and the deliveries above the quota are held", async () => {
    const { id: projectId } = await newProject();
    const { id } = await newIntegration(projectId);
    const limit = used + 7;
    const changes = Array.from({ length: 20 }, () =>
      limited(limit, "POST", "flags", aFlag(projectId)),
    );
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(await counts(id)).toEqual({ held: 13, sent: 7 });
    expect(await limitOf(limit)).toMatchObject({ limit, used: limit, remaining: 0 });
  });

  it("goes to the integrations of one change in the order of their creation", async () => {
    const { id: projectId } = await newProject();
    const [one, two] = [await newIntegration(projectId), await newIntegration(projectId)];
    await limited(used + 1, "POST", "flags", aFlag(projectId));
    expect(await counts(one.id)).toEqual({ held: 0, sent: 1 });
    expect(await counts(two.id)).toEqual({ held: 1, sent: 0 });
  });

  it("counts a delivery that is sent again, or holds the delivery when the quota is used up", async () => {
    const integration = await newIntegration((await newProject()).id);
    const redeliver = async (limit: number) => {
      const id = await endedDelivery(integration);
      const path = `integrations/${integration.id}/deliveries/${id}/redeliver`;
      return limited(limit, "POST", path);
    };
    const held = await redeliver(used);
    expect(held.status).toBe(202);
    expect(held.body).toMatchObject({ status: "held", attempts: 0, nextAttemptAt: null });
    expect(await limitOf(used)).toMatchObject({ used });
    const sent = await redeliver(used + 1);
    expect(sent.body).toMatchObject({ status: "pending", attempts: 0 });
    expect(await limitOf(used + 1)).toMatchObject({ used: used + 1, remaining: 0 });
  });

  it("is not exceeded when ten deliveries are sent again at once", async () => {
    const integration = await newIntegration((await newProject()).id);
    const ids: number[] = [];
    for (let n = 0; n < 10; n++) ids.push(await endedDelivery(integration));
    const answers = await Promise.all(
      ids.map((id) =>
        limited(used + 4, "POST", `integrations/${integration.id}/deliveries/${id}/redeliver`),
      ),
    );
    const statuses = answers.map(({ body }: Json) => body.status);
    expect(statuses.filter((status) => status === "held")).toHaveLength(6);
    expect(await limitOf(used + 4)).toMatchObject({ used: used + 4, remaining: 0 });
  });
});

describe("the quota of integrations", () => {
  const create = async (projectId: number) =>
    callWith({ QUOTA_INTEGRATIONS: "1" }, "POST", "/api/v1/integrations", {
      token: await adminToken(),
      body: {
        name: unique("integration"),
        enabled: true,
        type: "custom_webhook",
        configJson: '{"url":"https://receiver.example.com/"}',
        eventSubscriptionsJson: "[]",
        projectId,
      },
    });

  it("is not exceeded when two integrations of a project are created at once", async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await newProject();
      const answers = await Promise.all([create(id), create(id)]);
      expect(answers.map(outcome).toSorted()).toEqual(["201", "402 QUOTA_EXCEEDED"]);
    }
  });

  it("allows a new integration after another one was deleted", async () => {
    const { id: projectId } = await newProject();
    const { body } = await create(projectId);
    expect(outcome(await create(projectId))).toBe("402 QUOTA_EXCEEDED");
    await asAdmin("DELETE", `/api/v1/integrations/${body.id}`);
    expect((await create(projectId)).status).toBe(201);
  });
});
