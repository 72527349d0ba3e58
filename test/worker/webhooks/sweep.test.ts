import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { DAY_MS } from "../../../src/core/lib/time.ts";
import { sweep } from "../../../src/jobs/sweep.ts";
import { asAdmin } from "../support/outcomes.ts";
import { adminToken } from "../support/people.ts";
import { rows } from "../support/records.ts";
import { deliveryRow, idsOf, newDeliveries, ok, unrelayed, world } from "./support.ts";

beforeEach(async () => {
  // The tests move the clock by years. The sweep must not delete the session of the administrator.
  await adminToken();
  await env.DB.prepare("UPDATE sessions SET refreshed_at = 1e15").run();
});

it("the webhook sweep keeps a successful delivery and its event for 29 days, and has deleted them after 31", async () => {
  const { projectId, ids } = await newDeliveries(1);
  const { deps, wait, deliver } = world(ok);
  await deliver(ids);
  wait(29 * DAY_MS);
  await sweep(deps);
  expect(await deliveryRow(ids[0] ?? 0)).toMatchObject({ status: "succeeded" });
  wait(2 * DAY_MS);
  await sweep(deps);
  expect(await deliveryRow(ids[0] ?? 0)).toBeUndefined();
  expect(await rows("SELECT id FROM outbox WHERE project_id = ?", projectId)).toEqual([]);
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
  expect(await deliveryRow(ids[0] ?? 0)).toBeUndefined();
  expect(await deliveryRow(ids[1] ?? 0)).toMatchObject({ status: "pending" });
});

it("the webhook sweep keeps the integration of a deleted project until its last webhook events are delivered", async () => {
  const { projectId, integration, ids } = await newDeliveries(1);
  await unrelayed("DELETE", `projects/${projectId}`);
  const { deps, received, deliver } = world(ok);
  const left = () => rows("SELECT id FROM integrations WHERE id = ?", integration.id);
  await sweep(deps);
  expect(await left()).toHaveLength(1);
  const last = await idsOf(integration.id);
  await deliver(last);
  expect(last).toHaveLength(ids.length + 1);
  expect(received.map(({ body }) => body.type)).toContain("flag.deleted");
  await sweep(deps);
  expect(await left()).toEqual([]);
});

it("the webhook sweep deletes a disabled integration of a deleted project, although a delivery is pending", async () => {
  const { projectId, integration, ids } = await newDeliveries(1);
  await asAdmin("PUT", `/api/v1/integrations/${integration.id}`, { enabled: false });
  await unrelayed("DELETE", `projects/${projectId}`);
  const { deps, received, deliver } = world(ok);
  await deliver(ids);
  await sweep(deps);
  expect(received).toEqual([]);
  expect(await deliveryRow(ids[0] ?? 0)).toBeUndefined();
});

it("the sweep keeps the webhook usage of a month for a year", async () => {
  const { projectId } = await newDeliveries(1);
  const { deps, wait } = world(ok);
  const months = () =>
    rows("SELECT month FROM webhook_project_usage WHERE project_id = ?", projectId);
  wait(360 * DAY_MS);
  await sweep(deps);
  expect(await months()).toHaveLength(1);
  wait(40 * DAY_MS);
  await sweep(deps);
  expect(await months()).toEqual([]);
});
