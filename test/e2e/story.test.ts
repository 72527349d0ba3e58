import { ADMIN } from "./support/people.ts";
import { poll } from "./support/sdk.ts";
import { expect, test } from "./support/test.ts";
import { newFlag, newKey } from "./support/world.ts";

test("a user signs in and rolls out a flag, and an SDK gets each change with its next poll", async ({
  page,
  api,
  world,
}) => {
  const flag = await newFlag(api, world, { name: "New search" });
  const key = await newKey(api, world.development);
  const before = await poll(key);
  expect(before.rules).toMatchObject([{ key: flag.key, enabled: false }]);
  expect(await poll(key, before.etag)).toMatchObject({ status: 304 });

  await page.goto("/");
  await page.getByLabel("E-mail").fill(ADMIN.email);
  await page.getByLabel("Password", { exact: true }).fill(ADMIN.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("main").getByRole("link", { name: world.project.name }).click();
  await page.getByRole("link", { name: flag.name }).click();
  await expect(page.getByRole("heading", { level: 1, name: flag.name })).toBeVisible();

  await page.getByRole("link", { name: "development" }).click();
  await page.getByRole("switch", { name: "New search in development" }).press("Space");
  await expect(page.getByText("New search turned on in development")).toBeVisible();
  const switchedOn = await poll(key, before.etag);
  expect(switchedOn.rules).toMatchObject([{ key: flag.key, enabled: true }]);
  await page.getByRole("textbox", { name: "Roll-out", exact: true }).fill("50");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved in development.")).toBeVisible();
  const rolledOut = await poll(key, switchedOn.etag);
  expect(rolledOut.status).toBe(200);
  expect(rolledOut.rules).toMatchObject([
    { key: flag.key, enabled: true, activation: { rollOut: 50 } },
  ]);
  expect(await poll(key, rolledOut.etag)).toMatchObject({ status: 304 });

  await page.getByRole("link", { name: "Flags", exact: true }).click();
  const inRow = page.getByRole("switch", { name: "New search in development" });
  await expect(inRow).toBeChecked();
  await inRow.press("Space");
  const notification = page
    .getByRole("alert")
    .filter({ hasText: "New search turned off in development" });
  await expect(notification).toBeVisible();
  expect((await poll(key, rolledOut.etag)).rules).toMatchObject([{ enabled: false }]);
  await notification.getByRole("button", { name: "Undo" }).click();
  await expect(inRow).toBeChecked();
  await expect.poll(async () => (await poll(key)).rules).toMatchObject([{ enabled: true }]);
});
