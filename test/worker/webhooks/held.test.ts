import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { monthOf } from "../../../src/db/outbox.ts";
import { releaseHeld } from "../../../src/jobs/webhooks/relay.ts";
import { asAdmin } from "../support/outcomes.ts";
import { adminToken } from "../support/people.ts";
import { rows } from "../support/records.ts";
import { newIntegration, newProject, unique } from "../support/world.ts";
import { callWith } from "../support/call-with.ts";
import { broken, idsOf, ok, QUEUE_AWAY, world } from "./support.ts";

const today = new Date();
/** The start of the next month. */
const renewal = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1);

const usedBy = async (projectId: number, now = Date.now()) => {
  const sql = "SELECT used FROM webhook_project_usage WHERE project_id = ? AND month = ?";
  const [row] = await rows(sql, projectId, monthOf(now));
  return row?.used ?? 0;
};

/** Creates a flag while the monthly quota of webhook deliveries is `quota`. */
async function change(projectId: number, quota: number): Promise<void> {
  const body = { key: unique("flag"), name: "A flag", flagType: "RELEASE", projectId };
  const replaced = { WEBHOOKS: QUEUE_AWAY, QUOTA_WEBHOOK_DELIVERIES: String(quota) };
  const options = { token: await adminToken(), body };
  const { status } = await callWith(replaced, "POST", "/api/v1/flags", options);
  expect(status).toBe(201);
}

async function statuses(integrationId: number): Promise<string[]> {
  const sql = "SELECT status FROM webhook_deliveries WHERE integration_id = ? ORDER BY id";
  return (await rows(sql, integrationId)).map(({ status }) => status);
}

describe("the monthly quota of webhook deliveries", () => {
  let projectId: number;
  let integrationId: number;
  const used = (now?: number) => usedBy(projectId, now);

  beforeEach(async () => {
    await env.DB.prepare("DELETE FROM webhook_deliveries").run();
    ({ id: projectId } = await newProject());
    ({ id: integrationId } = await newIntegration(projectId));
  });

  it("releases no held delivery in a month whose quota is used up, and in the next month the oldest first", async () => {
    for (let n = 0; n < 4; n++) await change(projectId, 1);
    const { deps, received, wait, deliver } = world(ok);
    const limited = { ...deps, webhooks: { ...deps.webhooks, limit: 1 } };
    await releaseHeld(limited);
    await deliver(await idsOf(integrationId));
    expect(received).toHaveLength(1);

    wait(renewal - Date.now());
    const two = { ...limited, webhooks: { ...limited.webhooks, limit: 2 } };
    await releaseHeld(two);
    await releaseHeld(two);
    expect(await statuses(integrationId)).toEqual(["succeeded", "pending", "pending", "held"]);
    expect(await used(renewal)).toBe(2);
    expect(await used()).toBe(1);
  });

  it("releases held deliveries in the same month when the quota is raised", async () => {
    for (let n = 0; n < 3; n++) await change(projectId, 1);
    const { deps } = world(ok);
    await releaseHeld(deps);
    expect(await statuses(integrationId)).toEqual(["pending", "pending", "pending"]);
    expect(await used()).toBe(3);
  });

  it("renews for each project separately: a project with a used-up quota holds back no other project", async () => {
    const { id: otherProject } = await newProject();
    const { id: other } = await newIntegration(otherProject);
    for (let n = 0; n < 3; n++) await change(projectId, 1);
    await change(otherProject, 1);
    await change(otherProject, 1);
    expect(await statuses(integrationId)).toEqual(["pending", "held", "held"]);
    expect(await statuses(other)).toEqual(["pending", "held"]);
    const { deps, wait } = world(ok);
    wait(renewal - Date.now());
    await releaseHeld({ ...deps, webhooks: { ...deps.webhooks, limit: 1 } });
    expect(await statuses(integrationId)).toEqual(["pending", "pending", "held"]);
    expect(await statuses(other)).toEqual(["pending", "pending"]);
  });

  it("releases no delivery of a disabled integration, until the integration is enabled", async () => {
    await change(projectId, 0);
    await asAdmin("PUT", `/api/v1/integrations/${integrationId}`, { enabled: false });
    const { deps } = world(ok);
    await releaseHeld(deps);
    expect(await statuses(integrationId)).toEqual(["held"]);
    expect(await used()).toBe(0);
    await asAdmin("PUT", `/api/v1/integrations/${integrationId}`, { enabled: true });
    await releaseHeld(deps);
    expect(await statuses(integrationId)).toEqual(["pending"]);
    expect(await used()).toBe(1);
  });

  it("counts a delivery once, not with every attempt", async () => {
    await change(projectId, 10);
    const { deliverTimes } = world(broken);
    await deliverTimes(3, await idsOf(integrationId));
    expect(await used()).toBe(1);
  });
});
