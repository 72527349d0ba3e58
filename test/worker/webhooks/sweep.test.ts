import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { DAY_MS } from "../../../src/core/lib/time.ts";
import { sweep } from "../../../src/jobs/sweep.ts";
import { asAdmin } from "../support/outcomes.ts";
import { adminToken } from "../support/people.ts";
import { deliveryRow, newDeliveries, ok, unrelayed, world } from "./support.ts";

beforeEach(async () => {
  // The tests move the clock by years. The sweep must not delete the session of the administrator.
  await adminToken();
  await env.DB.prepare("UPDATE sessions SET refreshed_at = 1e15").run();
});

const outboxRows = async (projectId: number) => {
  const { results } = await env.DB.prepare("SELECT id FROM outbox WHERE project_id = ?")
    .bind(projectId)
    .all();
  return results.length;
};

it("the webhook sweep keeps a successful delivery and its event for 29 days, and has deleted them after 31", async () => {
  const { projectId, ids } = await newDeliveries(1);
  const { deps, wait, deliver } = world(ok);
  await deliver(ids);
  wait(29 * DAY_MS);
  await sweep(deps);
  expect(await deliveryRow(ids[0] ?? 0)).toMatchObject({ status: "succeeded" });
  wait(2 * DAY_MS);
  await sweep(deps);
  expect(await deliveryRow(ids[0] ?? 0)).toBeNull();
  expect(await outboxRows(projectId)).toBe(0);
});

it("the webhook sweep keeps a dead delivery for 89 days and then deletes it, but never a pending delivery", async () => {
  const { ids } = await newDeliveries(2);
  await env.DB.prepare(
    "UPDATE webhook_deliveries SET status = 'dead', completed_at = ? WHERE id = ?",
  )
    .bind(Date.now(), ids[0])
    .run();
  const { deps, wait } = world(ok);
  wait(89 * DAY_MS);
  await sweep(deps);
  expect(await deliveryRow(ids[0] ?? 0)).toMatchObject({ status: "dead" });
  wait(1000 * DAY_MS);
  await sweep(deps);
  expect(await deliveryRow(ids[0] ?? 0)).toBeNull();
  expect(await deliveryRow(ids[1] ?? 0)).toMatchObject({ status: "pending" });
});

it("the webhook sweep keeps the integration of a deleted project until its last webhook events are delivered", async () => {
  const { projectId, integration, ids } = await newDeliveries(1);
  await unrelayed("DELETE", `projects/${projectId}`);
  const { deps, received, deliver } = world(ok);
  const left = async () =>
    env.DB.prepare("SELECT id FROM integrations WHERE id = ?").bind(integration.id).first();
  await sweep(deps);
  expect(await left()).not.toBeNull();
  const { results } = await env.DB.prepare(
    "SELECT id FROM webhook_deliveries WHERE integration_id = ?",
  )
    .bind(integration.id)
    .all<{ id: number }>();
  await deliver(results.map(({ id }) => id));
  expect(results).toHaveLength(ids.length + 1);
  expect(received.map(({ body }) => body.type)).toContain("flag.deleted");
  await sweep(deps);
  expect(await left()).toBeNull();
});

it("the webhook sweep deletes a disabled integration of a deleted project, although a delivery is pending", async () => {
  const { projectId, integration, ids } = await newDeliveries(1);
  await asAdmin("PUT", `/api/v1/integrations/${integration.id}`, { enabled: false });
  await unrelayed("DELETE", `projects/${projectId}`);
  const { deps, received, deliver } = world(ok);
  await deliver(ids);
  await sweep(deps);
  expect(received).toEqual([]);
  expect(await deliveryRow(ids[0] ?? 0)).toBeNull();
});

it("the sweep keeps the webhook usage of a month for a year", async () => {
  const { projectId } = await newDeliveries(1);
  const { deps, wait } = world(ok);
  const months = async () => {
    const sql = "SELECT month FROM webhook_project_usage WHERE project_id = ?";
    return (await env.DB.prepare(sql).bind(projectId).all()).results.length;
  };
  wait(360 * DAY_MS);
  await sweep(deps);
  expect(await months()).toBe(1);
  wait(40 * DAY_MS);
  await sweep(deps);
  expect(await months()).toBe(0);
});
