import { expect, expectAccessible, test } from "./support/test.ts";

const UNLEASH = {
  version: 2,
  features: [
    { name: "cart", type: "kill-switch", enabled: true, strategies: [{ name: "default" }] },
    { name: "beta", type: "release", enabled: true, strategies: [{ name: "ourOwn" }] },
  ],
};

test("flags of Unleash are checked, planned and applied, and the flag is in the list", async ({
  page,
  world: { project },
  openAs,
}) => {
  await openAs("DEVELOPER", `/projects/${project.id}/export`);
  await page.getByRole("textbox", { name: "File", exact: true }).fill(JSON.stringify(UNLEASH));
  await page.getByRole("button", { name: "Check" }).click();
  const report = page.getByRole("table", { name: "Result for each flag" });
  await expect(report.getByRole("row", { name: "cart Exact" })).toBeVisible();
  await expect(report.getByRole("row", { name: "beta Refused" })).toContainText("ourOwn");
  await page.getByRole("button", { name: "Plan", exact: true }).click();
  const changes = page.getByRole("table", { name: "Changes" });
  await expect(changes.getByRole("row", { name: /^\/flags\/cart new/ })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: /^Apply / }).click();
  await page.getByRole("link", { name: "Show flags" }).click();
  await expect(page.getByRole("link", { name: "cart", exact: true })).toBeVisible();
});
