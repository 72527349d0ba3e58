import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../../src/core/lib/time.ts";
import { beginDeliveries } from "../../../src/jobs/webhooks/deliver.ts";
import { mailer } from "../../../src/platform/bindings/mailer.ts";
import { CHAT_SERVICES } from "../../../src/core/webhooks/chat.ts";
import { asAdmin } from "../support/outcomes.ts";
import { Mailbox } from "../support/mailbox.ts";
import { auditOfEntity } from "../support/records.ts";
import { deliveriesOf } from "../support/receiver.ts";
import { newIntegration, newProject } from "../support/world.ts";
import { broken, idsOf, newDeliveries, newUnqueuedFlag, ok, unrelayed, world } from "./support.ts";

const integrationOf = async (id: number) =>
  (await asAdmin("GET", `/api/v1/integrations/${id}`)).body;

/**
 * Attempts a webhook delivery that fails now, and another that fails three days later. With
 * `between`, the receiver returns that response to an attempt after one day.
 */
async function failingForThreeDays(between?: () => Response) {
  const { integration, flags, ids } = await newDeliveries(1);
  const mailbox = new Mailbox();
  let answer: () => Response = broken;
  const { deps, wait, deliver } = world(() => answer());
  const withMail = { ...deps, mailer: mailer(mailbox.binding, "flags@example.com") };
  await deliver(ids);
  if (between) {
    answer = between;
    wait(DAY_MS);
    await deliver(ids);
    answer = broken;
  }
  wait(3 * DAY_MS - (between ? DAY_MS : 0) + 1000);
  await unrelayed("PUT", `flags/${flags[0].id}`, { name: "Changed" });
  const attempts = await beginDeliveries(withMail, (await idsOf(integration.id)).slice(1));
  await attempts();
  return { integration: await integrationOf(integration.id), mailbox };
}

describe("an integration whose receiver has failed for three days", () => {
  it("is switched off and audited, and the administrators get an e-mail", async () => {
    const { integration, mailbox } = await failingForThreeDays();
    expect(integration).toMatchObject({ enabled: false, switchedOffAt: expect.any(String) });
    const records = await auditOfEntity("integration", integration.id);
    const last = records.at(-1);
    expect(last).toMatchObject({ action: "integration.switched-off", actor_kind: "system" });
    expect(mailbox.mails.map(({ to }) => to)).toContain("admin@example.com");
    expect(mailbox.mails[0]?.subject).toBe(`The integration ${integration.name} was switched off`);
    expect(mailbox.mails[0]?.text).not.toContain("/hook");
  });

  it("is not switched off when an attempt succeeded during these days", async () => {
    const { integration, mailbox } = await failingForThreeDays(ok);
    expect(integration).toMatchObject({ enabled: true, switchedOffAt: null });
    expect(mailbox.mails).toEqual([]);
  });

  it("no longer counts as failing after a user switches it on again", async () => {
    const { integration } = await failingForThreeDays();
    await asAdmin("PUT", `/api/v1/integrations/${integration.id}`, { enabled: true });
    expect(await integrationOf(integration.id)).toMatchObject({
      enabled: true,
      failingSince: null,
      switchedOffAt: null,
    });
  });
});

const gone = () => new Response("channel_is_archived", { status: 410 });

describe("an integration whose receiver responds with 410", () => {
  it("is switched off at once, audited and told by e-mail, and its delivery is held", async () => {
    const { integration, ids } = await newDeliveries(2);
    const mailbox = new Mailbox();
    const { deps, received, deliver } = world(gone);
    Object.assign(deps, { mailer: mailer(mailbox.binding, "flags@example.com") });
    await deliver(ids.slice(0, 1));
    expect(await integrationOf(integration.id)).toMatchObject({
      enabled: false,
      switchedOffAt: expect.any(String),
    });
    const records = await auditOfEntity("integration", integration.id);
    expect(records.at(-1)).toMatchObject({
      action: "integration.switched-off",
      actor_kind: "system",
    });
    expect(mailbox.mails.map(({ to }) => to)).toContain("admin@example.com");
    expect(mailbox.mails[0]?.text).toContain("responded with status 410 (Gone)");
    await deliver(ids);
    expect(received).toHaveLength(1);
    const { items } = await deliveriesOf(integration.id);
    expect(items).toMatchObject([
      { status: "held", heldReason: "disabled", attempts: 0 },
      { status: "held", heldReason: "disabled", attempts: 1 },
    ]);
  });

  it("is switched off once by several responses at the same time", async () => {
    const { integration, ids } = await newDeliveries(3);
    const { deliver, faults } = world(gone);
    await deliver(ids);
    const records = await auditOfEntity("integration", integration.id);
    const offs = records.filter(({ action }) => action === "integration.switched-off");
    expect(offs).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it("stays enabled when its URL was changed during the attempt", async () => {
    const { integration, ids } = await newDeliveries(1);
    const { deliver } = world(async () => {
      const configJson = JSON.stringify({ url: "https://receiver.example.com/new" });
      await asAdmin("PUT", `/api/v1/integrations/${integration.id}`, { configJson });
      return gone();
    });
    await deliver(ids);
    expect(await integrationOf(integration.id)).toMatchObject({ enabled: true });
  });

  it("continues its deliveries when a user enables it again", async () => {
    const { integration, ids } = await newDeliveries(1);
    let answer = gone;
    const { deliver, wait } = world(() => answer());
    await deliver(ids);
    await asAdmin("PUT", `/api/v1/integrations/${integration.id}`, { enabled: true });
    answer = ok;
    wait(60_000);
    await deliver(ids);
    const { items } = await deliveriesOf(integration.id);
    expect(items).toMatchObject([{ status: "succeeded", attempts: 2 }]);
  });

  it.each(CHAT_SERVICES)("is switched off if it sends messages to %s", async (type) => {
    const { id: projectId } = await newProject();
    const configJson = JSON.stringify({ url: "https://chat.example.com/T0/B0/x" });
    const { id } = await newIntegration(projectId, { type, configJson });
    await newUnqueuedFlag(projectId);
    await world(gone).deliver(await idsOf(id));
    expect(await integrationOf(id)).toMatchObject({ enabled: false });
  });
});
