import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../../src/core/lib/time.ts";
import { beginDeliveries } from "../../../src/jobs/webhooks/deliver.ts";
import { mailer } from "../../../src/platform/bindings/mailer.ts";
import { asAdmin } from "../support/outcomes.ts";
import { Mailbox } from "../support/mailbox.ts";
import { auditOfEntity } from "../support/records.ts";
import { broken, idsOf, newDeliveries, ok, unrelayed, world } from "./support.ts";

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
