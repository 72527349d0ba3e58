import { Webhook } from "standardwebhooks";
import type { Api, Schemas } from "./support/api.ts";
import { addFilter } from "./support/filters.ts";
import { Receiver } from "./support/receiver.ts";
import { expect, expectAccessible, test as base } from "./support/test.ts";
import { newFlag, type World } from "./support/world.ts";

type Integration = Schemas["Integration"];

const test = base.extend<{ readonly receiver: Receiver & { readonly url: string } }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright requires a destructured parameter
  receiver: async ({}, use) => {
    const receiver = new Receiver();
    const url = await receiver.listen();
    await use(Object.assign(receiver, { url }));
    receiver.close();
  },
});

const newIntegration = (api: Api, { project }: World, url: string, events = ["flag.updated"]) =>
  api.post<Integration>("/api/v1/integrations", {
    name: "Chat",
    enabled: true,
    type: "custom_webhook",
    configJson: JSON.stringify({ url, headers: { "X-Team": "one" } }),
    eventSubscriptionsJson: JSON.stringify(events),
    projectId: project.id,
  });

const pageOf = ({ id, projectId }: Integration) => `/projects/${projectId}/integrations/${id}`;

test("a new integration delivers a test webhook and the webhook of a change, and can deliver that webhook again", async ({
  page,
  api,
  world,
  receiver,
  openAs,
}) => {
  const flag = await newFlag(api, world);
  await openAs("ADMIN", `/projects/${world.project.id}/integrations`);
  await expect(page.getByText("No integrations yet")).toBeVisible();
  await page.getByRole("button", { name: "New integration" }).click();
  const form = page.getByRole("dialog", { name: "New integration" });
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("Chat");
  await form.getByRole("textbox", { name: "URL" }).fill(receiver.url);
  await form.getByRole("checkbox", { name: "All segment events" }).uncheck();
  await expect(form.getByRole("checkbox", { name: "All events" })).not.toBeChecked();
  await expect(form.getByRole("checkbox", { name: "Segment updated" })).not.toBeChecked();
  await form.getByRole("button", { name: "Create integration" }).click();

  const shown = page.getByRole("dialog", { name: "Chat created" });
  const secret = await shown.getByRole("textbox", { name: "Signing secret" }).inputValue();
  const webhook = new Webhook(secret);
  await shown.getByRole("button", { name: "Copy" }).click();
  await shown.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Chat" })).toBeVisible();
  await expect(page.getByText("No deliveries yet")).toBeVisible();
  const filter = page.getByRole("button", { name: "Filter", exact: true });
  await expect(filter).toHaveCount(0);

  await page.getByRole("button", { name: "Send a test" }).click();
  const result = page.getByRole("dialog", { name: "Test result" });
  await expect(result.getByText("Response: 204")).toBeVisible();
  await expect(result.getByRole("region", { name: "Request" })).toContainText("integration.test");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await api.put(`/api/v1/flags/${flag.id}`, { description: "Changed" });
  await expect.poll(() => receiver.types).toEqual(["integration.test", "flag.updated"]);
  const [, told] = receiver.received;
  expect(webhook.verify(told?.body ?? "", told?.headers ?? {})).toMatchObject({
    data: { flag: { key: flag.key } },
  });
  await page.reload();
  const row = page.getByRole("row", { name: "flag.updated" });
  await expect(row).toContainText("Delivered");
  await expect(filter).toBeVisible();
  await row.getByRole("button", { name: "Details of flag.updated" }).click();
  await expect(page.getByRole("region", { name: "Request" })).toContainText(flag.key);
  await expectAccessible(page);

  await row.getByRole("button", { name: "Resend" }).click();
  await expect(page.getByText("flag.updated queued again")).toBeVisible();
  await expect.poll(() => receiver.received.length).toBe(3);
  expect(receiver.received[2]?.headers["webhook-id"]).toBe(told?.headers["webhook-id"]);
  await expect(row).toContainText("Delivered");
  await expect(page.getByText("2 attempts, newest first")).toBeVisible();
});

test("a new Slack integration has no secret and no headers, and sends a message", async ({
  page,
  world,
  receiver,
  openAs,
}) => {
  await openAs("ADMIN", `/projects/${world.project.id}/integrations`);
  await page.getByRole("button", { name: "New integration" }).click();
  const form = page.getByRole("dialog", { name: "New integration" });
  await form.getByText("Slack", { exact: true }).click();
  await expect(form.getByRole("button", { name: "Add header" })).toHaveCount(0);
  await expectAccessible(page);
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("Releases");
  await form.getByRole("textbox", { name: "URL" }).fill(receiver.url);
  await form.getByRole("button", { name: "Create integration" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Releases" })).toBeVisible();
  await expect(page.getByText("Signing secret")).toHaveCount(0);
  await page.getByRole("button", { name: "Send a test" }).click();
  await expect(page.getByText("Response: 204")).toBeVisible();
  expect(JSON.parse(receiver.received[0]?.body ?? "")).toMatchObject({
    text: expect.stringMatching(/sent this test of the integration Releases$/),
  });
});

test("the integration form shows its own and the API's validation errors at their fields", async ({
  page,
  world,
  openAs,
}) => {
  await openAs("ADMIN", `/projects/${world.project.id}/integrations`);
  await page.getByRole("button", { name: "New integration" }).click();
  const form = page.getByRole("dialog", { name: "New integration" });
  const create = form.getByRole("button", { name: "Create integration" });
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("Chat");
  const url = form.getByRole("textbox", { name: "URL" });
  await url.fill("https://10.0.0.1/hook");
  await form.getByRole("checkbox", { name: "All events" }).uncheck();
  await create.click();
  await expect(form.getByText("Select at least one event.")).toBeVisible();
  await form.getByRole("checkbox", { name: "Flag archived" }).check();
  await form.getByRole("button", { name: "Add header" }).click();
  await form.getByRole("textbox", { name: "Name of header 1" }).fill("Host");
  await form.getByRole("textbox", { name: "Value of header 1" }).fill("example.com");
  await create.click();
  await expect(url).toHaveAccessibleDescription(/Must not point at a loopback, private/);
  await expect(
    form.getByText("Host: is set by the service or the network; remove it."),
  ).toBeVisible();
  // Otherwise the bar at the bottom may cover a part of a checkbox, which axe calls too small.
  await form.getByRole("textbox", { name: "Value of header 1" }).hover();
  await expectAccessible(page);
});

test("a failed delivery is retried at once on demand, and is held while the integration is off", async ({
  page,
  api,
  world,
  receiver,
  openAs,
}) => {
  const integration = await newIntegration(api, world, receiver.url, ["flag.created"]);
  receiver.status = 503;
  for (let flags = 0; flags < 2; flags++) await newFlag(api, world);
  await expect.poll(() => receiver.types).toEqual(["flag.created", "flag.created"]);
  await openAs("ADMIN", `/projects/${world.project.id}/integrations`);
  await page.getByRole("link", { name: integration.name }).click();
  const row = page.getByRole("row", { name: "flag.created" });
  await expect(row).toContainText([/Failed, retrying/, /Failed, retrying/]);
  receiver.status = 204;
  await row.first().getByRole("button", { name: "Retry now" }).click();
  await expect(row).toContainText([/Delivered/, /Failed, retrying/]);
  expect(receiver.types).toHaveLength(3);

  await page.getByRole("switch", { name: "Enabled" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("are held until you turn it on again");
  await dialog.getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByText("Off. Nothing is sent.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send a test" })).toHaveCount(0);
  await addFilter(page, "Status", "Held");
  await expect(page).toHaveURL(/\?status=held$/);
  await expect(page.getByText("The integration is off. These deliveries are sent")).toBeVisible();
  await expect(row).toHaveText([/Held/]);

  await page.getByRole("switch", { name: "Enabled" }).click();
  await expect(page.getByText("No deliveries with this status")).toBeVisible();
  await page.getByRole("link", { name: "All integrations" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Integrations" })).toBeVisible();
});

test("an integration that moves to another host needs its header values again, gets a new signing secret, and can be renamed and deleted", async ({
  page,
  api,
  world,
  receiver,
  openAs,
}) => {
  const integration = await newIntegration(api, world, "https://example.com/hook");
  await openAs("ADMIN", pageOf(integration));
  await page.getByRole("button", { name: "Edit" }).click();
  const form = page.getByRole("dialog", { name: "Edit Chat" });
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("Deployments");
  await form.getByRole("checkbox", { name: "All events" }).check();
  await form.getByRole("textbox", { name: "URL" }).fill(receiver.url);
  await form.getByRole("button", { name: "Save" }).click();
  await expect(
    form.getByText("X-Team: must be given again, because the host of the URL changes."),
  ).toBeVisible();
  // Otherwise the edge of the dialog cuts a checkbox, which is too small then.
  await form.getByRole("textbox", { name: "Value of header 1" }).scrollIntoViewIfNeeded();
  await expectAccessible(page);
  await form.getByRole("textbox", { name: "Value of header 1" }).fill("two");
  await form.getByRole("button", { name: "Save" }).click();

  const shown = page.getByRole("dialog", { name: "has a new secret" });
  const close = async () => {
    await expect(shown.getByRole("textbox", { name: "Signing secret" })).toHaveValue(/^whsec_/);
    await shown.getByRole("button", { name: "Copy" }).click();
    await shown.getByRole("button", { name: "Done" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  };
  await expect(shown).toContainText("The receiver has a new host");
  await close();
  await expect(page.getByRole("heading", { level: 1, name: "Deployments" })).toBeVisible();

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "New signing secret" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "New signing secret" }).click();
  await close();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete integration" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete integration" }).click();
  await expect(page.getByText("No integrations yet")).toBeVisible();
});

test("a long list of integrations can be filtered by state and type, and shows the states on a phone", async ({
  page,
  world,
  api,
  openAs,
}) => {
  const { id: projectId } = world.project;
  for (let number = 1; number <= 9; number++)
    await api.post("/api/v1/integrations", {
      name: `Chat ${number}`,
      enabled: number < 9,
      type: number < 9 ? "custom_webhook" : "slack",
      configJson: JSON.stringify({ url: `https://hooks.example.com/${number}` }),
      eventSubscriptionsJson: JSON.stringify(["flag.updated"]),
      projectId,
    });
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs("ADMIN", `/projects/${projectId}/integrations`);
  const rows = page.getByRole("table").getByRole("row");
  await expect(rows).toHaveCount(10);
  await addFilter(page, "State", "Off");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1).getByRole("rowheader")).toHaveText(/^Chat 9.*Off$/);
  await addFilter(page, "Type", "Webhook");
  await expect(page.getByText("Nothing found")).toBeVisible();
  await page.getByRole("button", { name: "Clear all" }).click();
  await expect(rows).toHaveCount(10);
});
