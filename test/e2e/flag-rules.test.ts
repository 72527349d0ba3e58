import type { Locator } from "@playwright/test";
import { baseUrl, type Schemas } from "./support/api.ts";
import { isIn, setStrategy, strategyIn } from "./support/strategies.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { flagPath, newFlag, newKey } from "./support/world.ts";

type Environment = Schemas["Environment"];

const COLORS: Partial<Schemas["CreateFlag"]> = {
  valueType: "string",
  variants: ["blue", "green", "red"].map((key) => ({ key, value: key })),
};

/** Three rules without names, for the countries AT, DE and FR. */
const THREE_RULES = ["AT", "DE", "FR"].map((country) => ({
  constraints: [isIn("country", country)],
  serve: { variant: "green" },
}));

const panel = (page: Page, environment: Environment) =>
  page.getByRole("region", { name: environment.name, exact: true });

const card = (form: Locator, name: string) => form.getByRole("group", { name, exact: true });

/** Returns the countries of the rules, in the order of the cards. */
const countries = (form: Locator) => form.getByText(/^Users where country is .. get green\.$/);

const openRule = (form: Locator, name: RegExp) => form.getByRole("button", { name }).click();

/** Chooses an action in the menu of a rule, with the keyboard. */
async function actOn(page: Page, rule: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${rule}` }).press("Enter");
  await page.getByRole("menuitem", { name: action }).press("Enter");
}

async function addConstraint(rule: Locator, field: string, value: string): Promise<void> {
  await rule.getByRole("button", { name: "Add constraint" }).click();
  const row = rule.getByRole("group", { name: "Constraint 1" });
  await row.getByRole("combobox", { name: "Field" }).fill(field);
  const values = row.getByRole("combobox", { name: "Values" });
  await values.fill(value);
  await values.press("Enter");
}

/**
 * Saves the form, and waits until the button Save has disappeared, which happens when the response
 * arrives. Does not wait for the notification, because it may belong to an earlier save.
 */
async function save(page: Page, environment: Environment): Promise<void> {
  const button = page.getByRole("button", { name: "Save" });
  await button.click();
  await expect(button).toHaveCount(0);
  await expect(page.getByText(`Saved in ${environment.name}.`).last()).toBeVisible();
}

test("ordered rules and a weighted split are made in the form, read back as sentences, and are saved", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const flag = await newFlag(api, world, COLORS);
  await openAs("DEVELOPER", flagPath(world, flag, world.development));
  const form = panel(page, world.development);

  await form.getByRole("combobox", { name: "Serves" }).click();
  await page.getByRole("option", { name: "Split by percentage" }).click();
  const green = form.getByRole("textbox", { name: "Percentage of green" });
  await form.getByRole("textbox", { name: "Percentage of blue" }).fill("0");
  await green.fill("66.667");
  await expect(form.getByRole("textbox", { name: "Percentage of red" })).toHaveValue("33.333%");
  const border = form.getByRole("slider", { name: "Border between green and red" });
  await border.press("ArrowRight");
  await expect(border).toHaveAttribute("aria-valuetext", "green 67%, red 33%");
  await border.press("ArrowLeft");
  await expect(green).toHaveValue("66%");

  await form.getByRole("button", { name: "Add rule" }).click();
  const rule = card(form, "Rule 1");
  const name = rule.getByRole("textbox", { name: "Name (optional)" });
  await expect(name).toBeFocused();
  await name.fill("Germany");
  const named = card(form, "Rule 1: Germany");
  await addConstraint(named, "country", "DE");
  await named.getByRole("textbox", { name: "Roll-out" }).fill("12.5");
  await expect(named.getByText("12.5% of users where country is DE get blue.")).toBeVisible();
  await expect(
    card(form, "Everyone else").getByText("Everyone else gets green (66%) or red (34%)."),
  ).toBeVisible();
  await expectAccessible(page);
  await save(page, world.development);

  const saved = await strategyIn(api, flag, world.development);
  expect(saved).toMatchObject({ serve: { weights: { green: 66, red: 34 } } });
  expect(saved.rules).toMatchObject([
    {
      name: "Germany",
      percentage: 12,
      exactPercentage: 12.5,
      constraints: [isIn("country", "DE")],
      serve: { variant: "blue" },
    },
  ]);

  // A later change keeps the id of the rule, and so the rule keeps its users.
  await form.getByRole("button", { name: /^Rule 1: Germany/ }).click();
  await named.getByRole("combobox", { name: "Serves" }).click();
  await page.getByRole("option", { name: "red" }).click();
  await save(page, world.development);
  const changed = await strategyIn(api, flag, world.development);
  expect(changed.rules).toMatchObject([{ id: saved.rules[0]?.id, serve: { variant: "red" } }]);
});

test("rules are moved with the mouse and with the keyboard, and can be removed", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const flag = await newFlag(api, world, COLORS);
  const { rules } = await setStrategy(api, flag, world.development, { rules: THREE_RULES });
  await openAs("DEVELOPER", flagPath(world, flag, world.development));
  const form = panel(page, world.development);
  const texts = (...order: string[]) =>
    order.map((country) => `Users where country is ${country} get green.`);
  await expect(countries(form)).toHaveText(texts("AT", "DE", "FR"));

  // The keyboard moves the last rule to the top. The focus stays on the menu of the moved rule.
  await actOn(page, "Rule 3", "Move up");
  await expect(countries(form)).toHaveText(texts("AT", "FR", "DE"));
  await expect(form.getByRole("status").getByText("Rule 3 is now rule 2 of 3.")).toBeAttached();
  await expect(form.getByRole("button", { name: "Actions for Rule 2" })).toBeFocused();
  await actOn(page, "Rule 2", "Move up");
  await expect(countries(form)).toHaveText(texts("FR", "AT", "DE"));
  await expect(form.getByRole("button", { name: "Actions for Rule 1" })).toBeFocused();

  // The mouse drags the first rule below the last one.
  const handle = card(form, "Rule 1").locator("[data-handle]");
  const last = card(form, "Rule 3");
  const { height = 0 } = (await last.boundingBox()) ?? {};
  await handle.dragTo(last, { targetPosition: { x: 60, y: height - 4 } });
  await expect(countries(form)).toHaveText(texts("AT", "DE", "FR"));
  await handle.dragTo(card(form, "Rule 2"), { targetPosition: { x: 60, y: height - 4 } });
  await expect(countries(form)).toHaveText(texts("DE", "AT", "FR"));

  await actOn(page, "Rule 2", "Remove");
  await expect(countries(form)).toHaveText(texts("DE", "FR"));
  await save(page, world.development);
  const saved = await strategyIn(api, flag, world.development);
  expect(saved.rules.map(({ id }) => id)).toEqual([rules[1]?.id, rules[2]?.id]);
});

test("the API's validation errors of rules are shown at their fields", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const flag = await newFlag(api, world, COLORS);
  await setStrategy(api, flag, world.development, { rules: THREE_RULES });
  await openAs("DEVELOPER", flagPath(world, flag, world.development));
  const form = panel(page, world.development);
  const open = form.getByRole("button", { name: /^Rule 2/ });
  await open.click();
  const second = card(form, "Rule 2");
  // Only the API, not the form, checks the length of a constraint value.
  const values = second.getByRole("combobox", { name: "Values" });
  await values.fill("x".repeat(513));
  await values.press("Enter");
  await open.click();
  await expect(values).toHaveCount(0);
  await form.getByRole("button", { name: "Save" }).click();
  await expect(second.getByText(/512/)).toBeVisible();
  await expect(values).toHaveAttribute("aria-invalid", "true");
  await expect(values).toBeFocused();
  // axe finds the list of suggestions outside of all landmarks.
  await values.press("Escape");
  await expect(page.getByRole("listbox")).toHaveCount(0);
  await expectAccessible(page);

  // The error stays with its rule when the rule moves.
  await actOn(page, "Rule 2", "Move down");
  await expect(card(form, "Rule 3").getByText(/512/)).toBeVisible();
  await expect(card(form, "Rule 2").getByText(/512/)).toHaveCount(0);
});

test("the form says which share of users gets another value, and saves even if the share is unknown", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const dryRun = /\/strategies\?dryRun=true$/;
  let dryRuns = 0;
  page.on("request", (request) => {
    if (dryRun.test(request.url())) dryRuns++;
  });
  const flag = await newFlag(api, world, COLORS);
  const serve = { weights: { blue: 34, green: 33, red: 33 } };
  await setStrategy(api, flag, world.production, { enabled: true, serve });
  await openAs("DEVELOPER", flagPath(world, flag, world.production));
  const form = panel(page, world.production);
  const blue = form.getByRole("textbox", { name: "Percentage of blue" });
  await blue.fill("50");
  await expect(form.getByRole("textbox", { name: "Percentage of red" })).toHaveValue("25%");
  const moves = "16% of the users of this flag get a different value.";
  await expect(form.getByRole("status").getByText(moves)).toBeVisible();
  await form.getByRole("button", { name: "Save" }).click();
  const review = page.getByRole("dialog", { name: "Save to production?" });
  await expect(review.getByText(moves)).toBeVisible();
  await review.getByRole("button", { name: "Cancel" }).click();

  // A rule with a roll-out of 0% gives no user a different value. For a rule with a condition, the
  // page shows an upper bound, because it does not know how many users meet the condition.
  await form.getByRole("button", { name: "Add rule" }).click();
  await card(form, "Rule 1").getByRole("textbox", { name: "Roll-out" }).fill("0");
  await openRule(form, /^Everyone else/);
  // Only one rule is open.
  await expect(form.getByRole("textbox", { name: "Roll-out" })).toHaveCount(1);
  await blue.fill("34");
  await expect(form.getByText("No users get a different value.")).toBeVisible();
  await openRule(form, /^Rule 1/);
  await addConstraint(card(form, "Rule 1"), "country", "DE");
  await card(form, "Rule 1").getByRole("textbox", { name: "Roll-out" }).fill("10");
  await expect(form.getByText("At most 6.6% of users in DE get a different value.")).toBeVisible();
  await openRule(form, /^Everyone else/);

  await page.route(dryRun, (route) => route.abort());
  const failed = page.waitForEvent("requestfailed", (request) => dryRun.test(request.url()));
  await blue.fill("60");
  await failed;
  await expect(form.getByText(/another value/)).toHaveCount(0);
  await form.getByRole("button", { name: "Save" }).click();
  await expect(review).not.toContainText("another value");
  await review.getByRole("button", { name: "Save to production" }).click();
  await expect(form.getByRole("button", { name: "Save" })).toHaveCount(0);

  // A save causes no dry run, which would compare the new strategy with itself or fail with 412.
  await page.unroute(dryRun);
  await blue.fill("61");
  await expect(
    form.getByText("At most 1% of the users of this flag get a different value."),
  ).toBeVisible();
  const asked = dryRuns;
  await form.getByRole("button", { name: "Save" }).click();
  await review.getByRole("button", { name: "Save to production" }).click();
  await expect(form.getByRole("button", { name: "Save" })).toHaveCount(0);
  expect(dryRuns).toBe(asked);
});

test("a rule of a boolean flag serves on or off, and a warning names the SDK instances whose version does not support rules that serve off", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const flag = await newFlag(api, world);
  const key = await newKey(api, world.development);
  const fetchRules = (instance: string, features: Readonly<Record<string, string>>) =>
    fetch(`${baseUrl()}/api/client/features`, {
      headers: {
        Authorization: `Bearer ${key.apiKey}`,
        "X-App-Name": "shop",
        "X-Instance-Id": instance,
        "X-Sdk-Version": "node/1.4.0",
        ...features,
      },
    });
  await fetchRules("shop-old", {});
  await fetchRules("shop-new", { "X-Sdk-Features": "rules" });
  await expect
    .poll(() => api.get(`/api/v1/projects/${world.project.id}/client-instances`))
    .toHaveLength(2);
  await setStrategy(api, flag, world.development, {
    rules: [{ constraints: [isIn("plan", "free")], serve: { variant: "on" } }],
  });
  await openAs("DEVELOPER", flagPath(world, flag, world.development));
  const form = panel(page, world.development);
  await expect(form.getByText("Serves")).toHaveCount(0);
  await form.getByRole("button", { name: /^Rule 1/ }).click();
  const warning = form.getByRole("alert").filter({ hasText: "Some SDKs do not support rules" });
  await expect(warning).toHaveCount(0);
  await card(form, "Rule 1").getByText("Off", { exact: true }).click();
  await expect(warning.getByRole("listitem")).toHaveText("shop: shop-old (node/1.4.0)");
  // In a high window, the bar with Save covers no other button.
  await page.setViewportSize({ width: 1440, height: 1600 });
  await expectAccessible(page);
});
