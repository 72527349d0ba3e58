import type { Api, Schemas } from "./support/api.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";

type Usage = Schemas["PlatformUsage"];

const PATH = "/api/v1/settings/platform-usage";
const usageOf = (api: Api) => api.get<Usage>(PATH);

const row = (page: Page, name: string) =>
  page
    .getByRole("list", { name: "Used and included amounts" })
    .getByRole("listitem")
    .filter({
      has: page.getByText(name, { exact: true }),
    });

/** Lets the page load this usage instead of the usage of the service. */
const show = (page: Page, usage: Usage) =>
  page.route(`**${PATH}`, (route) => route.fulfill({ json: usage }));

test("an administrator sees what the service has used, against the included amounts", async ({
  page,
  api,
  signInAs,
  consoleErrors,
}) => {
  await signInAs("ADMIN");
  await page.goto("/costs");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Costs");
  const total = page.getByRole("region", { name: "Estimate for the last 30 days, in US$" });
  await expect(total).toContainText("$5.00");
  await expect(total).toContainText("$0.00 for usage beyond the included amounts");
  const requests = row(page, "Worker requests");
  await expect(requests).toContainText(/^Worker requests\s*\$0\.00/);
  await expect(requests).toContainText(/[\d,]+ of 10M included requests/);
  await expect(requests).toContainText("$0.30 for each further 1M · counted since");
  await expect(row(page, "Database rows read")).toContainText("$0.001 for each further 1M");
  await expect(row(page, "Database rows written")).toContainText(
    /[1-9][\d,]* of 50M included rows/,
  );
  const prices = page.getByRole("link", { name: "Cloudflare's prices" });
  await expect(prices).toHaveAttribute("href", /developers\.cloudflare\.com/);
  const model = page.getByRole("link", { name: "model of scale and cost" });
  const document = await page.request.get((await model.getAttribute("href")) ?? "");
  expect(await document.text()).toContain("### Load and monthly bill");
  await expectAccessible(page);

  // The isolates report their counts every 5 seconds.
  const shown = await requests.textContent();
  const countOf = async () => (await usageOf(api)).counters[0]?.amount ?? 0;
  const before = await countOf();
  await expect.poll(countOf).toBeGreaterThan(before);
  await page.reload();
  await expect(requests).toContainText(/of 10M included requests/);
  expect(await requests.textContent()).not.toBe(shown);
  expect(consoleErrors).toEqual([]);
});

test("an amount beyond the included one has its cost, and is accessible in both themes", async ({
  page,
  api,
  signInAs,
  consoleErrors,
}) => {
  const usage = await usageOf(api);
  const counters = usage.counters.map((counter) =>
    counter.name === "d1RowsWritten" ? { ...counter, amount: 51_500_000, usd: 1.5 } : counter,
  );
  await show(page, { ...usage, counters, totalUsd: 6.5 });
  await signInAs("ADMIN");
  await page.goto("/costs");
  const written = row(page, "Database rows written");
  await expect(written).toContainText("$1.50");
  await expect(written).toContainText("51,500,000 of 50M included rows (103%)");
  const total = page.getByRole("region", { name: "Estimate for the last 30 days, in US$" });
  await expect(total).toContainText("$6.50");
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
  expect(consoleErrors).toEqual([]);
});

test("the page says when the service counts nothing", async ({ page, api, signInAs }) => {
  await show(page, { ...(await usageOf(api)), counting: false });
  await signInAs("ADMIN");
  await page.goto("/costs");
  await expect(page.getByText("Metrics are off")).toBeVisible();
  await expect(page.getByRole("list", { name: "Used and included amounts" })).toHaveCount(0);
  await expectAccessible(page);
});

test("a VIEWER has no link to the page, and cannot open it", async ({ page, signInAs }) => {
  await signInAs("VIEWER");
  await page.goto("/costs");
  await expect(page.getByText("You do not have access to this page")).toBeVisible();
  const navigation = page.getByRole("navigation", { name: "Main" });
  await expect(navigation.getByRole("link", { name: "API reference" })).toBeVisible();
  await expect(navigation.getByRole("link", { name: "Costs" })).toHaveCount(0);
});
