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

test("files of LaunchDarkly fill the environment of the same name, and the report says what changes", async ({
  page,
  world: { project },
  openAs,
}) => {
  const variations = [30_000, 70_000].map((weight, variation) => ({ variation, weight }));
  const state = { on: true, rules: [], fallthrough: { rollout: { variations } }, offVariation: 1 };
  const search = {
    key: "search",
    variations: [{ value: true }, { value: false }],
    environments: { production: state, other: state },
  };
  const links = { self: { href: "/api/v2/segments/shop/other" } };
  await openAs("DEVELOPER", `/projects/${project.id}/export`);
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose files" }).click();
  const files = await chooser;
  await files.setFiles([
    jsonFile("flags.json", { items: [search] }),
    jsonFile("segments.json", { items: [], _links: links }),
  ]);
  await expect(page.getByRole("button", { name: "Remove segments.json" })).toBeVisible();
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByRole("combobox", { name: "production" })).toHaveValue("production");
  await expect(page.getByRole("combobox", { name: "other" })).toHaveValue("");
  await expect(page.getByRole("row", { name: "search Changed" })).toContainText(
    "production: has a percentage roll-out",
  );
  await expectAccessible(page);
});

const jsonFile = (name: string, value: object) => ({
  name,
  mimeType: "application/json",
  buffer: Buffer.from(JSON.stringify(value)),
});
