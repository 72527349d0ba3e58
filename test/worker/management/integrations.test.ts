import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { auditOf, eventsOf } from "../support/records.ts";
import { integrationShape } from "../support/shapes.ts";
import { newIntegration, newProject, unique } from "../support/world.ts";

const path = "/api/v1/integrations";
const MASKED = "whsec_********";
const url = "https://receiver.example.com/hook";
const config = (more: object = {}) => JSON.stringify({ url, ...more });

const aBody = (projectId: number) => ({
  name: unique("integration"),
  enabled: true,
  type: "custom_webhook",
  configJson: config(),
  eventSubscriptionsJson: '["flag.created","segment.deleted"]',
  projectId,
});

/** Switches the integration off, as failed webhook deliveries do. */
const failing = (id: number) =>
  env.DB.prepare(
    "UPDATE integrations SET failing_since = 1, switched_off_at = 2, enabled = 0 WHERE id = ?",
  )
    .bind(id)
    .run();

describe("integrations", () => {
  it("are created in a project with an ETag, and read and listed there with a masked secret", async () => {
    const { id: projectId } = await newProject();
    const body = aBody(projectId);
    const answer = await asAdmin("POST", path, body);
    expect(answer.status).toBe(201);
    const { configJson, ...rest } = answer.body;
    const { configJson: _, ...expected } = body;
    expect(rest).toEqual({ ...integrationShape, ...expected });
    expect(JSON.parse(configJson)).toEqual({ url, secret: expect.any(String), headers: {} });
    expect(answer.headers.get("ETag")).toBe('"1"');
    const read = await asAdmin("GET", `${path}/${answer.body.id}`);
    expect(read.headers.get("ETag")).toBe('"1"');
    expect(read.body).toEqual({
      ...answer.body,
      configJson: JSON.stringify({ url, secret: MASKED, headers: {} }),
    });
    await newIntegration((await newProject()).id);
    const list = await asAdmin("GET", `${path}?projectId=${projectId}`);
    expect(list.body).toEqual([read.body]);
  });

  it("keep the fields that an update omits", async () => {
    const created = await newIntegration((await newProject()).id);
    const { body: before } = await asAdmin("GET", `${path}/${created.id}`);
    const update = async (body: object) =>
      (await asAdmin("PUT", `${path}/${created.id}`, body)).body;
    const name = unique("renamed");
    const renamed = await update({ name });
    const { updatedAt } = renamed;
    expect(renamed).toEqual({ ...before, name, version: 2, updatedAt });
    expect(await update({ enabled: false })).toMatchObject({ name, enabled: false });
    expect(await update({ eventSubscriptionsJson: "[]" })).toMatchObject({
      eventSubscriptionsJson: "[]",
      configJson: before.configJson,
    });
    const moved = await update({
      configJson: JSON.stringify({ url: "https://receiver.example.com/b" }),
    });
    expect(JSON.parse(moved.configJson).url).toBe("https://receiver.example.com/b");
    expect(moved).toMatchObject({ name, enabled: false, eventSubscriptionsJson: "[]", version: 5 });
    expect(await update({})).toEqual(moved);
  });

  it("store the type of a webhook event once when the request lists the type twice", async () => {
    const eventSubscriptionsJson = '["flag.deleted", "flag.created","flag.deleted"]';
    const integration = await newIntegration((await newProject()).id, { eventSubscriptionsJson });
    expect(integration.eventSubscriptionsJson).toBe('["flag.deleted","flag.created"]');
  });

  it("keep failingSince and switchedOffAt until an update enables the integration", async () => {
    const { id } = await newIntegration((await newProject()).id);
    await failing(id);
    const at = { failingSince: expect.any(String), switchedOffAt: expect.any(String) };
    const update = async (body: object) => (await asAdmin("PUT", `${path}/${id}`, body)).body;
    expect(await update({ name: unique("renamed") })).toMatchObject({ ...at, enabled: false });
    expect(await update({ enabled: false })).toMatchObject(at);
    const on = await update({ enabled: true });
    expect(on).toMatchObject({ enabled: true, failingSince: null, switchedOffAt: null });
  });

  it("restart the three days of failures when an enabled integration is enabled again, with an audit record", async () => {
    const { id } = await newIntegration((await newProject()).id);
    await env.DB.prepare("UPDATE integrations SET failing_since = 1 WHERE id = ?").bind(id).run();
    const renew = () => asAdmin("PUT", `${path}/${id}`, { enabled: true });
    const answer = await renew();
    expect(answer.body).toMatchObject({ enabled: true, failingSince: null, version: 2 });
    expect(await auditOf(answer)).toMatchObject([
      { before: { failingSince: "1970-01-01T00:00:00.001Z" }, after: { failingSince: null } },
    ]);
    expect(await auditOf(await renew())).toEqual([]);
  });

  it("are deleted with the current ETag in If-Match, and not with an outdated one (412)", async () => {
    const { id } = await newIntegration((await newProject()).id);
    await asAdmin("PUT", `${path}/${id}`, { enabled: false });
    const remove = (tag: string) =>
      asAdmin("DELETE", `${path}/${id}`, undefined, { "If-Match": tag });
    expect(outcome(await remove('"1"'))).toBe("412 CONFLICT");
    expect((await remove('"2"')).status).toBe(204);
  });

  it("write an audit record for every change, and no webhook event", async () => {
    const { id: projectId } = await newProject();
    const body = aBody(projectId);
    const created = await asAdmin("POST", path, body);
    const { id } = created.body;
    const changed = await asAdmin("PUT", `${path}/${id}`, { enabled: false });
    const deleted = await asAdmin("DELETE", `${path}/${id}`);
    const { projectId: _, ...content } = body;
    const before = { ...content, configJson: config({ secret: MASKED, headers: {} }) };
    const at = { entity_type: "integration", entity_id: id, project_id: projectId };
    const records = [created, changed, deleted].map(auditOf);
    expect((await Promise.all(records)).flat()).toMatchObject([
      { ...at, action: "integration.created", before: null, after: before },
      {
        ...at,
        action: "integration.updated",
        before: { enabled: true },
        after: { enabled: false },
      },
      { ...at, action: "integration.deleted", before: { ...before, enabled: false }, after: null },
    ]);
    expect((await Promise.all([created, changed, deleted].map(eventsOf))).flat()).toEqual([]);
  });
});
