import { baseUrl } from "./support/api.ts";
import { addFilter } from "./support/filters.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { keyboardUser } from "./support/user.ts";
import { newFlag, newKey } from "./support/world.ts";

test("a user with the keyboard alone creates an API key, which is shown once with examples that contain it, and copies it", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const flag = await newFlag(api, world);
  await newFlag(api, world, { name: "zz other flag", key: "other-flag" });
  await openAs("ADMIN", `/projects/${world.project.id}/api-keys`);
  await expect(page.getByText("No API keys yet")).toBeVisible();
  const user = keyboardUser(page);
  await user.activate(page.getByRole("button", { name: "New API key" }));
  const form = page.getByRole("dialog", { name: "New API key" });
  await user.activate(form.getByRole("button", { name: "Create key" }));
  const name = form.getByRole("textbox", { name: "Name" });
  await expect(name).toHaveAccessibleDescription(/Required/);
  await user.write(name, "Backend");
  await expect(form.getByRole("radio", { name: "Server key" })).toBeChecked();
  await expect(form.getByRole("checkbox", { name: "can change roll-outs" })).not.toBeChecked();
  await user.activate(form.getByRole("combobox", { name: "Environment" }));
  await user.activate(page.getByRole("option", { name: "production" }));
  await expectAccessible(page);
  await user.activate(form.getByRole("button", { name: "Create key" }));

  const shown = page.getByRole("dialog", { name: "Backend created" });
  await expect(shown.getByRole("button", { name: "Done" })).toBeInViewport({ ratio: 1 });
  const apiKey = await shown.getByRole("textbox", { name: "API key" }).inputValue();
  await expect(shown.getByRole("region", { name: "OpenFeature" })).toContainText(apiKey);
  await expect(shown.getByRole("region", { name: "OpenFeature" })).toContainText(`"${flag.key}"`);
  await shown.getByRole("combobox", { name: "Flag in the examples" }).click();
  await page.getByRole("option", { name: "zz other flag" }).click();
  await expect(shown.getByRole("region", { name: "OpenFeature" })).toContainText('"other-flag"');
  const examples = shown.getByRole("link", {
    name: "Examples for web, React, Node, Python and Go",
  });
  const document = page.context().waitForEvent("page");
  await examples.click();
  await expect((await document).locator("body")).toContainText("# OpenFeature");
  await (await document).close();
  await shown.getByRole("tab", { name: "SDK" }).click();
  const sdk = shown.getByRole("region", { name: "SDK" });
  await expect(sdk).toContainText(`url: "${baseUrl()}"`);
  await expect(sdk).toContainText(`key: "${apiKey}"`);
  await shown.getByRole("tab", { name: "curl" }).click();
  await expect(shown.getByRole("region", { name: "curl" })).toContainText(apiKey);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  const question = page.getByRole("dialog", { name: "Close without copying?" });
  await question.getByRole("button", { name: "Back" }).click();
  await user.activate(shown.getByRole("button", { name: "Copy", exact: true }));
  await user.activate(shown.getByRole("button", { name: "Done" }));
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("row", { name: "Backend" })).toContainText(apiKey.slice(-4));

  await page.getByRole("button", { name: "Revoke Backend" }).click();
  const warning = page.getByRole("dialog", { name: "Revoke" });
  await expect(warning).toContainText("rejected with 401, usually within 3 seconds");
  await warning.getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByText("No API keys yet")).toBeVisible();
});

test("the page of API keys edits a key, filters the keys by environment, and shows everything on a phone", async ({
  page,
  api,
  world,
  openAs,
}) => {
  await newKey(api, world.development);
  const { id } = await newKey(api, world.production, "FRONTEND");
  await api.put(`/api/v1/api-keys/${id}`, { name: "Browser" });
  await openAs("ADMIN", `/projects/${world.project.id}/api-keys`);
  await expect(page.getByRole("rowheader")).toHaveCount(2);
  await expect(page.getByRole("row", { name: "Browser" })).toContainText("Safe for clients");

  await addFilter(page, "Environment", "development");
  await expect(page.getByRole("rowheader")).toHaveText([/^Test/]);
  await page.reload();
  await page.getByRole("button", { name: "Edit Test" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Batch");
  await dialog.getByRole("checkbox", { name: "The key can change roll-outs" }).uncheck();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("rowheader")).toHaveText([/^Batch/]);
  await expect(page.getByRole("row", { name: "Batch" })).toContainText("only reads");

  await page.setViewportSize({ width: 390, height: 844 });
  const row = page.getByRole("row", { name: "Batch" });
  const header = row.getByRole("rowheader");
  await expect(header.getByText("development")).toBeInViewport({ ratio: 1 });
  await expect(header.getByText("Server", { exact: true })).toBeInViewport({ ratio: 1 });
  // The browser's locale is en-GB, so the day comes first.
  const dates = header.getByText(/Created: \d{1,2} [A-Z][a-z]+ \d{4} · Last used: never used/);
  await expect(dates).toBeInViewport({ ratio: 1 });
  for (const button of await row.getByRole("button").all())
    await expect(button).toBeInViewport({ ratio: 1 });
});
