import { addFilter } from "./support/filters.ts";
import { follow } from "./support/pages.ts";
import { isIn, setStrategy } from "./support/strategies.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { newFlag } from "./support/world.ts";

test("the audit trail shows who changed what, with the values before and after, for the project and for one flag", async ({
  page,
  world,
  api,
  openAs,
}) => {
  const flag = await newFlag(api, world, { name: "One-page checkout" });
  await newFlag(api, world, { name: "Apple Pay" });
  await setStrategy(api, flag, world.production, { enabled: true, percentage: 10 });
  await setStrategy(api, flag, world.production, {
    percentage: 25,
    constraints: [isIn("country", "DE", "AT")],
  });
  await openAs("ADMIN", `/projects/${world.project.id}/audit`);

  const record = page
    .getByRole("listitem")
    .filter({ hasText: "Roll-out changed from 10% to 25% and 1 constraint added" });
  await expect(record).toContainText("admin");
  await expect(record).toContainText("production");
  await record.getByRole("button", { name: /^Details/ }).click();
  await expect(record.getByRole("deletion")).toHaveText(/10%/);
  await expect(record.getByRole("insertion").filter({ hasText: "25%" })).toBeVisible();
  await expect(record.getByRole("insertion").filter({ hasText: "DE" })).toContainText("country");
  await expect(record.getByRole("button", { name: "Copy trace ID" })).toBeVisible();
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page);

  await record.getByRole("link", { name: "One-page checkout" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "One-page checkout" })).toBeVisible();
  await page.getByRole("tab", { name: "History" }).click();
  const history = page.getByRole("tabpanel", { name: "History" });
  await expect(history.getByRole("listitem").filter({ hasText: "Roll-out" }).first()).toBeVisible();
  await history.getByRole("link", { name: "View in audit log" }).click();
  await expect(page.getByText("Only One-page checkout")).toBeVisible();
  await expect(page.getByRole("link", { name: "Apple Pay" })).toHaveCount(0);
  await page.getByRole("button", { name: "Show all" }).click();
  await expect(page.getByRole("link", { name: "Apple Pay" })).toBeVisible();
});

test("the audit trail keeps its filters in the URL, shows a kind that it does not know, ignores an invalid page, and shows the records of a kind of the organisation", async ({
  page,
  world,
  api,
  openAs,
}) => {
  const { project } = world;
  const flag = await newFlag(api, world);
  await setStrategy(api, flag, world.production, { enabled: true });
  await api.post("/api/v1/segments", { name: "Beta testers", projectId: project.id });
  await openAs("ADMIN", `/projects/${project.id}/audit?to=2020-01-01&page=-1&type=nonsense`);
  await expect(page.getByText("No events match these filters")).toBeVisible();
  await expect(page.getByLabel("To", { exact: true })).toHaveValue("2020-01-01");
  await expect(page.getByRole("button", { name: "What: nonsense" })).toBeVisible();
  await page.getByRole("button", { name: "Clear all", exact: true }).click();
  const records = page.locator("ol").getByRole("listitem");
  await expect(records.first()).toBeVisible();

  await addFilter(page, "What", "Segment");
  await expect(page).toHaveURL(/type=segment/);
  await expect(records).toHaveCount(1);
  await expect(records).toContainText("Beta testers");

  await page.getByRole("button", { name: "Clear all" }).click();
  await addFilter(page, "Environment", "production");
  await expect(records.filter({ hasText: "Turned on" })).toHaveCount(1);
  await expect(records.filter({ hasText: "Beta testers" })).toHaveCount(0);

  await page.getByRole("button", { name: "Clear all" }).click();
  await page.keyboard.press("/");
  await page.getByRole("searchbox").fill("beta test");
  await expect(page).toHaveURL(/search=beta/);
  await expect(records).toHaveCount(1);
  await expect(records).toContainText("Beta testers");

  await follow(page, "/audit");
  const heading = page.getByRole("heading", { level: 1, name: "Organisation audit log" });
  await expect(heading).toBeVisible();
  await addFilter(page, "Kind", "Security");
  await expect(page.getByRole("listitem").filter({ hasText: "Signed in" }).first()).toBeVisible();
});
