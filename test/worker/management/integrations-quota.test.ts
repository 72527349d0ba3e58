import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { call, type Json } from "../support/client.ts";
import { adminToken } from "../support/people.ts";
import { endedDelivery, receiver } from "../support/receiver.ts";
import { newFlag, newIntegration, newProject, newWorld, unique } from "../support/world.ts";
import { callWith } from "../support/call-with.ts";

/** Sends a request as the administrator, with this monthly quota of webhook deliveries. */
async function limited(limit: number, method: string, path: string, body?: object) {
  const quota = { QUOTA_WEBHOOK_DELIVERIES: String(limit) };
  return callWith(quota, method, `/api/v1/${path}`, { token: await adminToken(), body });
}

const limitOf = async (projectId: number, limit: number) =>
  (await limited(limit, "GET", `integrations/webhook-limit?projectId=${projectId}`)).body;

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

beforeEach(() => {
  receiver();
});

describe("the monthly quota of webhook deliveries of a project", () => {
  it("is returned with the used and the remaining deliveries, and the time when it renews", async () => {
    const { id: projectId } = await newProject();
    await newIntegration(projectId);
    await newIntegration(projectId, { eventSubscriptionsJson: '["flag.created"]' });
    await newIntegration(projectId, { eventSubscriptionsJson: '["flag.deleted"]' });
    await newIntegration(projectId, { enabled: false });
    await newFlag(projectId);
    const now = new Date();
    const resetsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    expect(await limitOf(projectId, 10_000)).toEqual({
      projectId,
      limit: 10_000,
      used: 2,
      remaining: 9998,
      resetsAt: resetsAt.toISOString(),
    });
    expect(await limitOf(projectId, 1)).toMatchObject({ limit: 1, used: 2, remaining: 0 });
  });

  it("is used up exactly by 20 simultaneous changes, and the deliveries above the quota are held", async () => {
    const { id: projectId } = await newProject();
    const { id } = await newIntegration(projectId);
    const changes = Array.from({ length: 20 }, () => limited(7, "POST", "flags", aFlag(projectId)));
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(await counts(id)).toEqual({ held: 13, sent: 7 });
    expect(await limitOf(projectId, 7)).toMatchObject({ limit: 7, used: 7, remaining: 0 });
  });

  it("cannot be used up by another project", async () => {
    const [{ id: noisy }, { id: quiet }] = [await newProject(), await newProject()];
    const integration = await newIntegration(quiet);
    await newIntegration(noisy);
    for (let n = 0; n < 3; n++) await limited(2, "POST", "flags", aFlag(noisy));
    await limited(2, "POST", "flags", aFlag(quiet));
    expect(await counts(integration.id)).toEqual({ held: 0, sent: 1 });
    expect(await limitOf(noisy, 2)).toMatchObject({ used: 2, remaining: 0 });
    expect(await limitOf(quiet, 2)).toMatchObject({ used: 1, remaining: 1 });
  });

  it("goes to the older integration when a change needs two deliveries and one delivery is left", async () => {
    const { id: projectId } = await newProject();
    const [one, two] = [await newIntegration(projectId), await newIntegration(projectId)];
    await limited(1, "POST", "flags", aFlag(projectId));
    expect(await counts(one.id)).toEqual({ held: 0, sent: 1 });
    expect(await counts(two.id)).toEqual({ held: 1, sent: 0 });
  });

  it("counts a delivery that is sent again, or holds the delivery when the quota is used up", async () => {
    const { id: projectId } = await newProject();
    const integration = await newIntegration(projectId);
    const redeliver = async (limit: number) => {
      const id = await endedDelivery(integration);
      const path = `integrations/${integration.id}/deliveries/${id}/redeliver`;
      return limited(limit, "POST", path);
    };
    const held = await redeliver(0);
    expect(held.status).toBe(202);
    const expected = { status: "held", heldReason: "quota", attempts: 0, nextAttemptAt: null };
    expect(held.body).toMatchObject(expected);
    expect(await limitOf(projectId, 0)).toMatchObject({ used: 0 });
    const sent = await redeliver(1);
    expect(sent.body).toMatchObject({ status: "pending", heldReason: null, attempts: 0 });
    expect(await limitOf(projectId, 1)).toMatchObject({ used: 1, remaining: 0 });
  });

  it("is not exceeded when ten deliveries are sent again at once", async () => {
    const { id: projectId } = await newProject();
    const integration = await newIntegration(projectId);
    const ids: number[] = [];
    for (let n = 0; n < 10; n++) ids.push(await endedDelivery(integration));
    const answers = await Promise.all(
      ids.map((id) =>
        limited(4, "POST", `integrations/${integration.id}/deliveries/${id}/redeliver`),
      ),
    );
    const statuses = answers.map(({ body }: Json) => body.status);
    expect(statuses.filter((status) => status === "held")).toHaveLength(6);
    expect(await limitOf(projectId, 4)).toMatchObject({ used: 4, remaining: 0 });
  });
});

describe("webhook-limit", () => {
  it("returns the sums over all projects when no project is named or selected", async () => {
    const before = (await limited(10, "GET", "integrations/webhook-limit")).body;
    const { id: projectId } = await newProject();
    await newIntegration(projectId);
    await newFlag(projectId);
    const after = (await limited(10, "GET", "integrations/webhook-limit")).body;
    expect(after).toEqual({
      ...before,
      projectId: null,
      limit: before.limit + 10,
      used: before.used + 1,
      remaining: before.remaining + 9,
    });
  });

  it("returns the quota of the project of an API key", async () => {
    const { apiKey: token, projectId } = await newWorld();
    const { body } = await call("GET", "/api/v1/integrations/webhook-limit", { token });
    expect(body).toMatchObject({ projectId });
  });

  it("returns 404 for an unknown project", async () => {
    const answer = await asAdmin("GET", "/api/v1/integrations/webhook-limit?projectId=999999");
    expect(outcome(answer)).toBe("404 NOT_FOUND");
  });
});
