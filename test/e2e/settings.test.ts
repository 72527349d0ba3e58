import type { Api, Schemas } from "./support/api.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

type Settings = Schemas["Settings"];

const settingsOf = (api: Api) => api.get<Settings>("/api/v1/settings");

/** The settings before the test, which restores them, because they are service-wide. */
let previous: Settings;
test.beforeEach(async ({ api }) => {
  previous = await settingsOf(api);
});
test.afterEach(async ({ api }) => {
  const { requireMfa, sessionTimeoutHours } = previous;
  await api.put("/api/v1/settings", { requireMfa, sessionTimeoutHours });
});

test("the settings page changes the session timeout, does not overwrite a concurrent change, and shows the deadline after an administrator confirms that every user needs a second factor", async ({
  page,
  api,
  openAs,
}) => {
  await openAs("ADMIN", "/settings");
  const hours = page.getByRole("textbox", { name: "Idle timeout (hours)" });
  const save = page.getByRole("button", { name: "Save" });
  await expect(save).toBeDisabled();
  await hours.fill("1000");
  await save.click();
  await expect(page.getByText("Enter a whole number from 1 to 720.")).toBeVisible();
  await hours.fill("700");
  await expect(page.getByText("= 29 days and 4 hours")).toBeVisible();

  await api.put("/api/v1/settings", { sessionTimeoutHours: 710 });
  await save.click();
  await expect(page.getByRole("alert")).toContainText("Someone else changed this");
  await expect(hours).toHaveValue("700");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(hours).toHaveValue("710");
  await hours.fill("700");
  await save.click();
  await expect(page.getByText("Saved")).toBeVisible();

  const must = page.getByRole("switch", { name: "Require two-factor authentication" });
  await must.check();
  await expect(page.getByText("Your own account does not have it yet.")).toBeVisible();
  await expectAccessible(page);
  await save.click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await save.click();
  await page.getByRole("dialog").getByRole("button", { name: "Require" }).click();
  await expect(page.getByText("Users without two-factor authentication have until")).toBeVisible();
  await expect(page.getByText("Without it, your access ends on")).toBeVisible();
  await must.uncheck();
  await expect(page.getByText("a password alone is enough to sign in")).toBeVisible();
  await save.click();
  await expect(page.getByText("Without it, your access ends on")).toBeHidden();
});
