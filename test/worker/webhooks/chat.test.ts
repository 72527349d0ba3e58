import { describe, expect, it } from "vitest";
import { CHAT_SERVICES } from "../../../src/core/webhooks/chat.ts";
import { asAdmin } from "../support/outcomes.ts";
import { deliveriesOf } from "../support/receiver.ts";
import { newEnvironment, newFlag, newIntegration, newProject, unique } from "../support/world.ts";
import { callWith } from "../support/call-with.ts";
import { adminToken } from "../support/people.ts";
import { broken, idsOf, ok, QUEUE_AWAY, world } from "./support.ts";

const path = "/api/v1/integrations";
const CHAT_URL = "https://chat.example.com/services/T0/B0/secret";

const newChat = (projectId: number, type: string, more: object = {}) =>
  newIntegration(projectId, {
    type,
    configJson: JSON.stringify({ url: CHAT_URL }),
    eventSubscriptionsJson: '["flag.updated"]',
    ...more,
  });

describe.each(CHAT_SERVICES)("an integration of the type %s", (type) => {
  it("is created, read and listed with its URL alone, and has no secret", async () => {
    const { id: projectId } = await newProject();
    const created = await newChat(projectId, type);
    expect(created).toMatchObject({ type, configJson: JSON.stringify({ url: CHAT_URL }) });
    expect((await asAdmin("GET", `${path}?projectId=${projectId}`)).body).toEqual([created]);
  });

  it("gets a message with the actor, the change, the environment and the reason", async () => {
    const { id: projectId } = await newProject();
    const environment = await newEnvironment(projectId);
    const flag = await newFlag(projectId);
    const { id } = await newChat(projectId, type);
    const answer = await callWith(
      { WEBHOOKS: QUEUE_AWAY },
      "PUT",
      `/api/v1/flags/${flag.id}/strategies`,
      {
        token: await adminToken(),
        body: { environmentId: environment.id, enabled: true },
        headers: { "X-Change-Reason": "Canary went well" },
      },
    );
    expect(answer.status).toBe(200);
    const { received, deliver, deps } = world(ok);
    Object.assign(deps, { publicUrl: "https://flags.example.com" });
    await deliver(await idsOf(id));
    expect(received).toHaveLength(1);
    const [call] = received;
    expect(call?.url).toBe(CHAT_URL);
    expect([...(call?.headers.keys() ?? [])].toSorted()).toEqual(["content-type", "user-agent"]);
    const text = JSON.stringify(call?.body);
    expect(text).toContain(`turned on ${flag.name} in ${environment.name}`);
    expect(text).toContain("Canary went well");
    expect(text).toContain(
      `https://flags.example.com/projects/${projectId}/flags/${flag.id}?environment=${environment.id}`,
    );
  });

  it("is retried like a webhook when the chat service fails", async () => {
    const { id: projectId } = await newProject();
    const { id } = await newChat(projectId, type, { eventSubscriptionsJson: '["flag.created"]' });
    await callWith({ WEBHOOKS: QUEUE_AWAY }, "POST", "/api/v1/flags", {
      token: await adminToken(),
      body: { key: unique("flag"), name: "A flag", flagType: "RELEASE", projectId },
    });
    const { deliverTimes } = world(broken);
    expect(await deliverTimes(2, await idsOf(id))).toEqual([30, 105]);
    const { items } = await deliveriesOf(id);
    expect(items).toMatchObject([{ status: "pending", attempts: 2 }]);
  });

  it("returns 400 for a secret, headers or another type, in a new integration and an update", async () => {
    const { id: projectId } = await newProject();
    const { id } = await newChat(projectId, type);
    const configJson = JSON.stringify({ url: CHAT_URL, headers: { "X-Token": "t" } });
    const body = { name: unique("chat"), enabled: true, type, configJson, projectId };
    const created = await asAdmin("POST", path, { ...body, eventSubscriptionsJson: "[]" });
    const updated = await asAdmin("PUT", `${path}/${id}`, { configJson });
    for (const { status, body: answer } of [created, updated]) {
      expect(status).toBe(400);
      expect(answer.details).toEqual([
        {
          field: "configJson.headers",
          message: `does not apply to the type ${type}; remove it`,
        },
      ]);
    }
    const other = await asAdmin("PUT", `${path}/${id}`, { type: "custom_webhook" });
    expect(other.body.details).toEqual([
      { field: "type", message: "cannot change; create a new integration" },
    ]);
  });
});

describe("the event flag.updated", () => {
  it("names the changed fields and the reason", async () => {
    const { id: projectId } = await newProject();
    const environment = await newEnvironment(projectId);
    const flag = await newFlag(projectId);
    const { id } = await newIntegration(projectId, { eventSubscriptionsJson: '["flag.updated"]' });
    const send = async (method: string, at: string, body: object) =>
      callWith({ WEBHOOKS: QUEUE_AWAY }, method, `/api/v1/flags/${at}`, {
        token: await adminToken(),
        body,
        headers: { "X-Change-Reason": "Why" },
      });
    await send("PUT", `${flag.id}`, { name: "New name", tags: ["a"] });
    await send("PUT", `${flag.id}/strategies`, { environmentId: environment.id, percentage: 5 });
    await send("POST", "bulk", { projectId, action: "tag", tag: "b", flags: [{ id: flag.id }] });
    const { received, deliver } = world(ok);
    await deliver(await idsOf(id));
    const data = received.map(({ body }) => body.data).toSorted((a, b) => a.sequence - b.sequence);
    expect(data.map(({ changed, reason }) => ({ changed, reason }))).toEqual([
      { changed: ["name", "tags"], reason: "Why" },
      { changed: ["percentage"], reason: "Why" },
      { changed: ["tags"], reason: "Why" },
    ]);
  });
});
