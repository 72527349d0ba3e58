import { bucket } from "@feature-flags/evaluation/bucket";
import type { Api, Schemas } from "./support/api.ts";
import { evaluate, playgroundPath, row, verdicts } from "./support/playground.ts";
import { isIn, setStrategy } from "./support/strategies.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { newFlag, newKey, type World } from "./support/world.ts";

const GERMANS = isIn("country", "DE", "AT");
const ANN = { userId: "ann", country: "DE", orders: 3 };
const BOB = { userId: "bob", country: "FR" };

/** Creates flags, all or those with the keys, whose evaluations in development have different reasons. */
async function fill(api: Api, world: World, keys?: readonly string[]): Promise<void> {
  const projectId = world.project.id;
  for (const [name, contextKey, contextType] of [
    ["User", "userId", "string"],
    ["Country", "country", "string"],
    ["Orders so far", "orders", "number"],
  ])
    await api.post("/api/v1/contexts", { name, contextKey, contextType, projectId });
  const segment = await api.post<Schemas["Segment"]>("/api/v1/segments", {
    name: "Regulars",
    projectId,
    constraints: [{ field: "orders", operator: "gte", values: ["3"], contextType: "number" }],
  });
  const flags: Readonly<Record<string, Partial<Schemas["SetStrategy"]>>> = {
    "switched-off": { enabled: false },
    everyone: {},
    nobody: { percentage: 0 },
    half: { percentage: 50 },
    germans: { constraints: [GERMANS] },
    others: { constraints: [{ ...GERMANS, inverted: true }] },
    regulars: { segmentIds: [segment.id] },
    "by-device": { percentage: 50, stickiness: "device" },
  };
  for (const [key, strategy] of Object.entries(flags)) {
    if (keys && !keys.includes(key)) continue;
    const flag = await newFlag(api, world, { key, name: `The ${key}` });
    await setStrategy(api, flag, world.development, { enabled: true, ...strategy });
  }
}

/** Expands all results on the page. Returns them in the format of POST /api/client/evaluate. */
async function shownVerdicts(page: Page) {
  const rows = verdicts(page).locator("li:has(h3)");
  await expect(rows.first()).toBeVisible();
  for (const toggle of await rows.locator("h3 button").all())
    if ((await toggle.getAttribute("aria-expanded")) === "false") await toggle.click();
  return Object.fromEntries(
    await rows.evaluateAll((items) =>
      items.map((item) => {
        const text = (selector: string) => item.querySelector(selector)?.textContent ?? "";
        const name = text("h3 button > span:nth-of-type(2) > span:first-child");
        const enabled = text("h3 button > span:first-of-type") === "On";
        return [name.replace("The ", ""), { enabled, reason: text("code") }];
      }),
    ),
  );
}

test("the playground shows the same results as the client API, and explains constraints, segments and roll-out", async ({
  page,
  api,
  world,
  openAs,
}) => {
  await fill(api, world);
  const key = await newKey(api, world.development, "FRONTEND");
  await openAs("VIEWER", playgroundPath(world, ANN));
  await expect(row(page, "half")).toBeVisible();
  expect(await shownVerdicts(page)).toEqual(await evaluate(key, ANN));
  await expect(verdicts(page)).toContainText("In the segment “Regulars” met");
  await expect(verdicts(page)).toContainText("orders is at least 3 met");
  await expect(verdicts(page)).toContainText("The context has “3”.");

  await page.getByRole("combobox", { name: "User" }).fill("bob");
  await page.getByRole("combobox", { name: "Country" }).fill("FR");
  await page.getByRole("combobox", { name: "Orders so far" }).fill("");
  await expect(row(page, "others")).toContainText("On");
  expect(await shownVerdicts(page)).toEqual(await evaluate(key, BOB));

  const place = bucket("half", "bob");
  await expect(row(page, "half")).toContainText(`Bucket ${place} of 100, roll-out is 50%`);
  await expect(row(page, "switched-off")).toContainText("Turned off in development");
  await expect(row(page, "by-device")).toContainText("The context has no device for bucketing");
  await expect(row(page, "germans")).toContainText("Not met: country is one of DE, AT");

  const constraint = verdicts(page)
    .getByRole("listitem")
    .filter({ hasText: /^country is one of/ });
  await expect(constraint).toContainText("country is one of DE, AT not met");
  await expect(constraint).toContainText("The context has “FR”.");
});

test("the playground accepts the evaluation context as JSON, and reports errors in that JSON", async ({
  page,
  api,
  world,
  openAs,
}) => {
  await fill(api, world, ["germans"]);
  await openAs("VIEWER", playgroundPath(world, ANN));
  await page.getByText("JSON", { exact: true }).click();
  const json = page.getByRole("textbox", { name: "Context as JSON" });
  expect(JSON.parse(await json.inputValue())).toEqual(ANN);

  await json.fill('{"country": "FR",');
  await expect(json).toHaveAccessibleDescription(/Invalid JSON/);
  await expect(row(page, "germans")).toContainText("On");
  await json.fill("[1]");
  await expect(json).toHaveAccessibleDescription(/Enter a JSON object/);
  await expectAccessible(page);

  await json.fill('{"country": "FR", "roles": ["a"]}');
  await expect(row(page, "germans")).toContainText("Off");
  await expect(json).toHaveAccessibleDescription(/roles: lists, objects and null count as missing/);
  await page.getByText("Form", { exact: true }).click();
  await expect(page.getByRole("combobox", { name: "Country" })).toHaveValue("FR");
  await page.getByRole("combobox", { name: "Orders so far" }).fill("many");
  await expect(page.getByText("Not of the type “Number”")).toBeVisible();
});

test("the playground saves evaluation contexts by name, and fills in an example from the known context values", async ({
  page,
  api,
  world,
  openAs,
}) => {
  await fill(api, world, ["germans"]);
  const [, country] = await api.get<Schemas["ContextDefinition"][]>(
    `/api/v1/contexts?projectId=${world.project.id}`,
  );
  await api.post(`/api/v1/contexts/${country?.id}/values`, { value: "AT" });
  await openAs("VIEWER", `/projects/${world.project.id}/playground`);
  await page.getByRole("button", { name: "Example" }).click();
  const field = page.getByRole("combobox", { name: "Country" });
  await expect(field).toHaveValue("AT");
  await expect(row(page, "germans")).toContainText("On");

  await page.getByRole("button", { name: "Saved" }).click();
  await page.getByRole("textbox", { name: "Save this context as" }).fill("An Austrian");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(field).toHaveValue("");
  await expect(row(page, "germans")).toContainText("Off");
  await page.reload();
  await page.getByRole("button", { name: "Saved" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "An Austrian", exact: true }).click();
  await expect(field).toHaveValue("AT");
});
