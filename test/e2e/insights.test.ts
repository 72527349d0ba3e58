import { readFileSync } from "node:fs";
import { type Api, request, type Schemas } from "./support/api.ts";
import { follow } from "./support/pages.ts";
import { setStrategy } from "./support/strategies.ts";
import { expect, type Page, test } from "./support/test.ts";
import { newFlag, newKey, type World } from "./support/world.ts";

/** The counts of one flag: true, false, and optionally by variant. */
type Counts = Pick<Schemas["FlagMetrics"]["totals"], "t" | "f"> & {
  v?: Readonly<Record<string, number>>;
};

/**
 * Reports usage in production as an SDK does, and waits until the service has counted all reports,
 * of which `expected` is the sum.
 */
async function report(
  api: Api,
  { production }: World,
  evaluations: Readonly<Record<string, Counts>>,
  expected = Object.values(evaluations).reduce((sum, { t, f }) => sum + t + f, 0),
): Promise<void> {
  const { apiKey } = await newKey(api, production);
  const { revision } = await api.get<Schemas["Environment"]>(
    `/api/v1/environments/${production.id}`,
  );
  const instance = { appName: "web-shop", instanceId: "web-shop-1", sdkVersion: "node/1.4.0" };
  const body = { ...instance, revision, evaluations };
  await request("POST", "/api/client/metrics", { token: apiKey, body });
  const counted = async () => {
    const { totals } = await api.get<Schemas["EnvironmentMetrics"]>(
      `/api/v1/metrics?environmentId=${production.id}`,
    );
    return totals.t + totals.f;
  };
  await expect.poll(counted).toBe(expected);
}

test("the insights page shows the reported usage, compares environments and exports both, and shows which SDK instances have the newest rules", async ({
  page,
  world,
  api,
  openAs,
}) => {
  const checkout = await newFlag(api, world, { name: "One-page checkout" });
  await newFlag(api, world, { name: "Pick by light" });
  const headline = await newFlag(api, world, {
    name: "Headline",
    valueType: "string",
    variants: ["summit", "trail"].map((key) => ({ key, value: key })),
  });
  await report(api, world, {
    [checkout.key]: { t: 300, f: 900 },
    [headline.key]: { t: 100, f: 0, v: { summit: 40, trail: 60 } },
  });
  await openAs("VIEWER", `/projects/${world.project.id}/insights`);

  const time = page.getByRole("region", { name: "Evaluations over time" });
  await expect(time).toContainText(
    "Evaluated 1,300 times. Of the 1,200 evaluations of boolean flags, 25% were on.",
  );
  await expect(time.getByText("Evaluations per hour")).toBeVisible();
  await time.getByRole("button", { name: "As a table" }).click();
  await expect(time.getByRole("table").getByRole("row").nth(1)).toContainText("25%");

  const most = page.getByRole("region", { name: "Most evaluated flags" });
  await expect(most.getByRole("row", { name: /One-page checkout.*1,200.*On 25%/ })).toBeVisible();
  await expect(most.getByRole("row", { name: /Headline.*100.*trail 60%/ })).toBeVisible();
  const never = page.getByRole("region", { name: "Never evaluated in production" });
  await expect(never.getByRole("link")).toHaveText(["Pick by light"]);
  const instances = page.getByRole("region", { name: "SDK instances" });
  await expect(instances).toContainText("1 of 1 instances up to date.");
  await expect(instances.getByRole("row", { name: "web-shop-1" })).toContainText("Up to date");
  await time.getByRole("button", { name: "As a chart" }).click();
  await expect(time.locator("svg [data-part] rect").first()).toBeVisible();

  await page.getByRole("combobox", { name: "Compare with" }).click();
  await page.getByRole("option", { name: "development" }).click();
  await expect(page).toHaveURL(new RegExp(`compare=${world.development.id}`));
  await expect(time.getByRole("heading", { level: 3 })).toHaveText(["production", "development"]);
  await expect(time).toContainText("No evaluations in this period");
  const downloading = page.waitForEvent("download");
  await time.getByRole("button", { name: "Export as CSV" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(
    /^usage_.+_production_development_\d{4}-\d\d-\d\d_\d{4}-\d\d-\d\d\.csv$/,
  );
  const lines = readFileSync(await download.path(), "utf8").split("\r\n");
  expect(lines[0]).toBe("\uFEFFEnvironment,Start (UTC),On,Off,Flags with variants,Evaluations");
  expect(lines.filter((line) => /^production,[^,]+,300,900,100,1300$/.test(line))).toHaveLength(1);
  expect(lines.filter((line) => /^development,[^,]+,0,0,0,0$/.test(line))).toHaveLength(25);
  await setStrategy(api, checkout, world.production, { enabled: true });
  await expect(instances).toContainText("0 of 1 instances up to date.");
  await expect(instances.getByRole("row", { name: "web-shop-1" })).toContainText(/Revision \d+ of/);

  await most.getByRole("link", { name: "One-page checkout" }).click();
  const usage = page.getByRole("tabpanel", { name: "Usage" });
  await expect(usage).toContainText("Evaluated 1,200 times, 25% of them on");

  // A page number beyond the last page of instances is removed from the URL.
  await follow(page, `/projects/${world.project.id}/insights?page=9`);
  await expect(instances.getByRole("row", { name: "web-shop-1" })).toBeVisible();
  await expect(page).toHaveURL(/\/insights$/);
});

test("the page of a flag shows its usage by variant as a chart and as a table", async ({
  page,
  world,
  api,
  openAs,
}) => {
  const flag = await newFlag(api, world, {
    valueType: "string",
    variants: ["blue", "green"].map((key) => ({ key, value: key })),
  });
  await report(api, world, { [flag.key]: { t: 900, f: 300, v: { blue: 600, green: 300 } } });
  await openAs(
    "VIEWER",
    `/projects/${world.project.id}/flags/${flag.id}?environment=${world.production.id}&tab=usage`,
  );
  const usage = page.getByRole("tabpanel", { name: "Usage" });
  await expect(usage).toContainText("Evaluated 1,200 times, 50% of them blue");
  await expect(usage.locator("svg [data-part]")).toHaveCount(3);
  await usage.getByRole("button", { name: "As a table" }).click();
  const rows = usage.getByRole("table").getByRole("row");
  await expect(rows.nth(0)).toHaveText(/blue\s*green\s*No variant\s*blue %$/);
  await expect(rows.nth(1).getByRole("cell")).toHaveText(["600", "300", "300", "50%"]);
  await usage.getByText("7 days").click();
  await expect(page).toHaveURL(/tab=usage&range=7d/);
});

test("the insights page keeps environment and period in the URL, rejects days that cannot be shown, says when no flag was evaluated, and counts Unleash SDKs", async ({
  page,
  world,
  api,
  openAs,
}) => {
  await newFlag(api, world);
  const { apiKey } = await newKey(api, world.development);
  const body = { appName: "shop", instanceId: "shop-1", sdkVersion: "unleash-node-sdk:6.12.1" };
  await request("POST", "/api/unleash/client/register", { token: apiKey, body });
  const unleash = `/api/v1/environments/${world.development.id}/unleash`;
  await expect
    .poll(async () => (await api.get<Schemas["UnleashUse"]>(unleash)).sdks)
    .toHaveLength(1);
  await openAs("VIEWER", `/projects/${world.project.id}/insights?environment=x&range=1y`);
  await expect(page.getByText("No evaluations in production in this period")).toBeVisible();
  await expect(page.getByRole("link", { name: "Create an API key" })).toHaveCount(0);
  await page.getByText("30 days").click();
  await expect(page).toHaveURL(/range=30d/);
  await page.getByRole("combobox", { name: "Environment" }).click();
  await page.getByRole("option", { name: "development" }).click();
  await expect(page).toHaveURL(new RegExp(`environment=${world.development.id}`));
  await page.reload();
  await expect(page.getByText("No evaluations in development in this period")).toBeVisible();
  await expect(page.getByRole("radio", { name: "30 days" })).toBeChecked();

  await page.getByText("Custom", { exact: true }).click();
  const [first, last] = [page.getByLabel("First day"), page.getByLabel("Last day")];
  const today = await last.inputValue();
  await first.fill("2999-12-31");
  await expect(page.getByRole("alert")).toHaveText("The first day must not be after the last day.");
  await first.fill("1999-12-31");
  await expect(page.getByRole("alert")).toHaveText(/Usage is kept for 2 years/);
  await first.fill(today);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`from=${today}&to=${today}`));
  await page.reload();
  await expect(first).toHaveValue(today);
  await expect(page.getByText("No evaluations in development in this period")).toBeVisible();
  await expect(page.getByText("unleash-node-sdk:6.12.1: 1 instance")).toBeVisible();
});

test.describe("with a fake clock", () => {
  test.use({ hasOwnContext: true });

  test("the usage of the current hour grows while a user watches a flag, the page does not move, and usage is not fetched again while the period is longer than a day", async ({
    page,
    world,
    api,
    signInAs,
  }) => {
    const flag = await newFlag(api, world);
    await report(api, world, { [flag.key]: { t: 1000, f: 0 } });
    await signInAs("VIEWER");
    await useFakeClock(page);
    const { project, production } = world;
    await page.goto(
      `/projects/${project.id}/flags/${flag.id}?environment=${production.id}&tab=usage`,
    );
    const ofFlag = page.getByRole("tabpanel", { name: "Usage" });
    await expect(ofFlag).toContainText("Evaluated 1,000 times");
    await ofFlag.scrollIntoViewIfNeeded();
    const place = await ofFlag.boundingBox();

    await report(api, world, { [flag.key]: { t: 234, f: 0 } }, 1234);
    await page.clock.fastForward(11_000);
    await expect(ofFlag).toContainText("Evaluated 1,234 times");
    expect(await ofFlag.boundingBox()).toEqual(place);

    let fetched = 0;
    page.on("request", (sent) => {
      if (sent.url().includes("/api/v1/metrics")) fetched += 1;
    });
    const overTime = page.getByRole("region", { name: "Evaluations over time" });
    await follow(page, `/projects/${project.id}/insights?range=7d`);
    await expect(overTime).toContainText("Evaluated 1,234 times");
    await page.clock.fastForward(120_000);
    expect(fetched).toBe(1);
    const usageOfDay = page.waitForResponse(/\/api\/v1\/metrics/);
    await page.getByText("24 hours").click();
    await expect(page).not.toHaveURL(/range/);
    await usageOfDay;
    expect(fetched).toBe(2);
    await page.clock.fastForward(11_000);
    await expect.poll(() => fetched).toBe(3);
  });
});

/**
 * Lets the test move the page's clock. Blocks the event stream: on a fast clock, the page would take
 * a stream for silent, reconnect, and fetch the usage again.
 */
async function useFakeClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.route("**/stream", (route) => route.abort());
}
