import { baseUrl, type Api, type Schemas } from "./support/api.ts";
import { follow } from "./support/pages.ts";
import { isIn, setStrategy, strategyIn } from "./support/strategies.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { keyboardUser } from "./support/user.ts";
import { type World, flagPath, listPath, newFlag, newKey } from "./support/world.ts";

/** Fetches the rules as an SDK instance with this API key does. */
const fetchAsSdk = (apiKey: string, instanceId: string): Promise<Response> =>
  fetch(`${baseUrl()}/api/client/features`, {
    headers: {
      Authorization: `Bearer ${apiKey}`,
      "X-App-Name": "shop",
      "X-Instance-Id": instanceId,
    },
  });

const GERMANS = isIn("country", "DE", "FR");

const newSegment = (api: Api, { project }: World, name: string) =>
  api.post<Schemas["Segment"]>("/api/v1/segments", {
    name,
    projectId: project.id,
    constraints: [
      { field: "betaTester", operator: "equals", values: ["true"], contextType: "boolean" },
    ],
  });

const panel = (page: Page, environment: Schemas["Environment"]) =>
  page.getByRole("region", { name: environment.name, exact: true });

async function addConstraint(page: Page, field: string, values: readonly string[]): Promise<void> {
  await page.getByRole("button", { name: "Add constraint" }).click();
  const row = page.getByRole("group", { name: "Constraint 1" });
  await row.getByRole("combobox", { name: "Field" }).fill(field);
  const input = row.getByRole("combobox", { name: "Values" });
  for (const value of values) {
    await input.fill(value);
    await input.press("Enter");
  }
}

test("a flag is hidden from browsers and becomes public again, each after a dialog, and the list shows it", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const flag = await newFlag(api, world);
  await newKey(api, world.production, "FRONTEND");
  await openAs("DEVELOPER", flagPath(world, flag, world.development));
  const choose = async (clients: string) => {
    await page.getByRole("button", { name: "Edit", exact: true }).first().click();
    await page.getByRole("combobox", { name: "Who gets the flag" }).click();
    await page.getByRole("option", { name: clients }).click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save" }).click();
  };
  await choose("Servers only");
  const hide = page.getByRole("dialog", { name: `Hide “${flag.key}” from browsers?` });
  await expect(hide).toContainText("Browsers use the default in their code from now on.");
  await hide.getByRole("button", { name: `Hide ${flag.key}` }).click();
  await expect(page.getByRole("main").getByText("Servers only")).toBeVisible();

  await choose("Servers and browsers");
  const publish = page.getByRole("dialog", { name: `Show “${flag.key}” to browsers?` });
  await expect(publish).toContainText("become public in: production");
  await publish.getByRole("button", { name: "Cancel" }).click();
  await page.keyboard.press("Escape");
  await page.goto(listPath(world, "?clients=server"));
  await expect(page.getByRole("link", { name: flag.name, exact: true })).toBeVisible();
  await expect(page.getByText("Who gets the flag: Servers only")).toBeVisible();
});

test("a strategy is made in the form, read back as a sentence, and saved", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const flag = await newFlag(api, world);
  const other = await newFlag(api, world, { key: "other" });
  await setStrategy(api, other, world.production, { constraints: [isIn("country", "FR")] });
  const segment = await newSegment(api, world, "EU customers");
  await openAs("DEVELOPER", flagPath(world, flag, world.development));
  const form = panel(page, world.development);
  await expect(form.getByText("Off for everyone.")).toBeVisible();

  await page.getByRole("switch", { name: `${flag.name} in development` }).press("Space");
  await expect(form.getByText("On for everyone.")).toBeVisible();
  await form.getByText("50%", { exact: true }).click();
  await expect(form.getByRole("textbox", { name: "Roll-out" })).toHaveValue("50%");
  await form.getByRole("textbox", { name: "Roll-out" }).fill("25");
  await addConstraint(page, "country", ["DE"]);
  const values = form.getByRole("combobox", { name: "Values" });
  await values.fill("F");
  await expect(page.getByRole("option", { name: "FR Used in other constraints" })).toBeVisible();
  await values.press("ArrowDown");
  await values.press("Enter");
  await form.getByRole("combobox", { name: "Segments" }).click();
  await page.getByRole("option", { name: "EU customers" }).click();
  await page.keyboard.press("Escape");
  await form.getByRole("button", { name: "Advanced" }).click();
  await form.getByRole("combobox", { name: "Sticky by" }).fill("userId");
  await page.keyboard.press("Escape");
  const sentence =
    "On for 25% of users where country is one of DE, FR and who are in EU customers; " +
    "the same user always gets the same result (by userId).";
  await expect(form.getByText(sentence)).toBeVisible();
  await form.getByRole("button", { name: "Who is in EU customers?" }).click();
  await expect(form.getByText("betaTester is true")).toBeVisible();
  await expectAccessible(page);

  await page.keyboard.press("ControlOrMeta+s");
  await expect(page.getByText("Saved in development.")).toBeVisible();
  await expect(form.getByText("Unsaved changes")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "development" })).toContainText("25%");
  expect(await strategyIn(api, flag, world.development)).toMatchObject({
    enabled: true,
    percentage: 25,
    constraints: [GERMANS],
    segmentIds: [segment.id],
    stickiness: "userId",
  });
});

test("the strategy form shows errors at their fields, and asks before the user leaves with unsaved changes", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const flag = await newFlag(api, world);
  await openAs("DEVELOPER", flagPath(world, flag, world.development));
  const form = panel(page, world.development);
  await addConstraint(page, "country", []);
  await page.keyboard.press("ControlOrMeta+Enter");
  const row = form.getByRole("group", { name: "Constraint 1" });
  const values = row.getByRole("combobox", { name: "Values" });
  await expect(values).toHaveAttribute("aria-invalid", "true");
  await expect(values).toHaveAccessibleDescription("Enter at least one value.");
  await expect(values).toBeFocused();

  await page.getByRole("textbox", { name: "Roll-out" }).fill("40");
  await page.getByRole("link", { name: "production" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(panel(page, world.development)).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Roll-out" })).toHaveValue("40%");

  await page.getByRole("link", { name: "Segments", exact: true }).click();
  await question.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByRole("textbox", { name: "Roll-out" })).toHaveValue("100%");
  await page.getByRole("link", { name: "production" }).click();
  await expect(panel(page, world.production)).toBeVisible();
});

test("the dashboard shows the changes before it saves a strategy to production, or copies it there with the keyboard", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const flag = await newFlag(api, world);
  await setStrategy(api, flag, world.development, {
    enabled: true,
    percentage: 25,
    constraints: [GERMANS],
    rules: [{ constraints: [isIn("plan", "free")], serve: { variant: "off" } }],
  });
  await openAs("DEVELOPER", flagPath(world, flag, world.production));
  await page.getByRole("textbox", { name: "Roll-out" }).fill("1");
  await page.getByRole("button", { name: "Save" }).click();
  const review = page.getByRole("dialog", { name: "Save to production?" });
  await expect(review.getByRole("region", { name: "Changes" })).toContainText(
    "before: 100%+after: 1%",
  );
  await expect(review.getByRole("status")).toHaveText("No users get a different value.");
  await review.getByRole("checkbox", { name: /^Also turn the flag on/ }).check();
  await expect(review.getByRole("status")).toHaveText(
    "1% of the users of this flag get a different value.",
  );
  await review.getByRole("checkbox", { name: /^Also turn the flag on/ }).uncheck();
  await expectAccessible(page);
  await review.getByRole("button", { name: "Save to production" }).click();
  await expect(page.getByText("Saved in production.")).toBeVisible();

  await page.getByRole("link", { name: "Compare" }).click();
  await expect(page.getByText("4 differences.")).toBeVisible();
  await expect(page.getByRole("switch")).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Swap sides" }).press("Enter");
  const table = page.getByRole("table", { name: "development and production side by side" });
  await expect(table.getByText("Different")).toHaveCount(4);
  const user = keyboardUser(page);
  await user.activate(page.getByRole("button", { name: "Copy to …" }));
  const copy = page.getByRole("dialog", { name: "Copy from development" });
  await expect(copy).toContainText("Off for users where plan is free");
  await expect(copy).toContainText("country is one of DE, FR");
  await expect(copy.getByRole("status")).toHaveText("No users get a different value.");
  await user.activate(copy.getByRole("checkbox", { name: "Copy the state too (here: On)" }));
  await expect(copy.getByRole("status")).toHaveText(
    "At most 25% of the users of this flag get a different value.",
  );
  await user.activate(copy.getByRole("checkbox", { name: "Copy the state too (here: On)" }));
  await user.activate(copy.getByRole("button", { name: "Copy to production" }));
  await expect(table.getByText("Different")).toHaveCount(1);
});

test("the page of a flag shows when a change has reached the SDK instances", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const flag = await newFlag(api, world);
  const key = await newKey(api, world.development);
  await fetchAsSdk(key.apiKey, "shop-1");
  const { id } = world.development;
  await expect
    .poll(async () => {
      const { instances } = await api.get<Schemas["Propagation"]>(
        `/api/v1/environments/${id}/propagation`,
      );
      return instances.known;
    })
    .toBe(1);
  await openAs("DEVELOPER", flagPath(world, flag, world.development));
  const arrival = panel(page, world.development);
  await page.getByRole("switch", { name: `${flag.name} in development` }).press("Space");
  await expect(
    arrival.getByText(/0 of 1 instances up to date\. Pending: shop-1 \(shop\)/),
  ).toBeVisible();
  // The service may serve the previous rules for some seconds.
  await expect(async () => {
    await fetchAsSdk(key.apiKey, "shop-1");
    const arrived = arrival.getByText(/1 of 1 instances up to date/);
    await expect(arrived).toBeVisible({ timeout: 10_000 });
  }).toPass();
});

test("name, description, tags and owners of a flag can be edited", async ({
  page,
  api,
  world,
  signInAs,
}) => {
  const flag = await newFlag(api, world, { tags: ["web"] });
  const { user } = (await signInAs("DEVELOPER")).session;
  await page.goto(flagPath(world, flag, world.development));
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Edit flag" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Required")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Name" }).fill("New checkout");
  await dialog.getByRole("textbox", { name: "Description" }).fill("On a single page");
  await dialog.getByRole("combobox", { name: "Tags" }).fill("mobile");
  await page.keyboard.press("Enter");
  await dialog.getByRole("combobox", { name: /^Owners/ }).fill(user.name);
  await page.getByRole("option", { name: user.name, exact: true }).first().click();
  await page.keyboard.press("Tab");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "New checkout" })).toBeVisible();
  await expect(page.getByText(`Owner: ${user.name}`)).toBeVisible();
  for (const text of ["On a single page", "mobile", "web"])
    await expect(page.getByRole("main").getByText(text, { exact: true })).toBeVisible();
});

test("a flag opens on production in all tabs, and the tabs and the playground keep another environment", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const flag = await newFlag(api, world, { name: "New search" });
  await newFlag(api, world, { name: "Another flag" });
  await openAs("DEVELOPER", flagPath(world, flag));
  await expect(panel(page, world.production)).toBeVisible();
  const usage = page.getByRole("tabpanel", { name: "Usage" });
  await page.getByRole("tab", { name: "Usage" }).click();
  await expect(usage).toContainText("production");
  await page.getByRole("link", { name: "development" }).click();
  await expect(usage).toContainText("development");
  await page.getByRole("tab", { name: "Targeting" }).click();
  await expect(panel(page, world.development)).toBeVisible();

  await page.getByRole("button", { name: `Actions for ${flag.name}` }).click();
  await page.getByRole("menuitem", { name: "Playground" }).click();
  await expect(page.getByRole("combobox", { name: "Environment" })).toHaveValue("development");
  const verdict = page.getByRole("button", { name: /New search/ });
  await expect(verdict).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByText("Another flag")).toHaveCount(0);
});

test("the tabs of a flag work with the keyboard, are in the address, and keep unsaved changes", async ({
  page,
  api,
  world,
  signInAs,
}) => {
  const flag = await newFlag(api, world);
  await signInAs("DEVELOPER");
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(request.url());
  });
  const opened = page.waitForResponse((response) => response.url().endsWith("/stream"));
  await page.goto(flagPath(world, flag, world.development));
  await page.getByRole("textbox", { name: "Roll-out" }).fill("40");
  await opened;
  const before = scripts.length;
  const tabs = page.getByRole("tablist", { name: "Sections of the flag" });
  await tabs.getByRole("tab", { name: "Targeting" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tabpanel", { name: "Usage" })).toContainText("No SDK has reported");
  // The charts load with their tab.
  expect(scripts.length).toBeGreaterThan(before);
  await expect(tabs.getByRole("tab", { name: "Usage" })).toBeFocused();
  await expect(page).toHaveURL(/tab=usage/);
  await page.keyboard.press("End");
  await expect(page.getByRole("tabpanel", { name: "History" })).toContainText("Created");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(tabs.getByRole("tab", { name: "Targeting" })).toContainText("Unsaved changes");

  await setStrategy(api, flag, world.development, { percentage: 60 });
  const targeting = tabs.getByRole("tab", { name: "Targeting" });
  await expect(targeting).toContainText("Someone else changed this");
  await targeting.click();
  await expect(page.getByRole("textbox", { name: "Roll-out" })).toHaveValue("40%");
});

test("long names of environments leave the states of the flag visible, and many environments are in a select", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const name = "a-region-with-a-very-long-name-".repeat(4);
  await api.post("/api/v1/environments", { name, projectId: world.project.id });
  const flag = await newFlag(api, world, { name: "One very long name of a flag ".repeat(6) });
  await openAs("VIEWER", flagPath(world, flag));
  const environments = page.getByRole("navigation", { name: "Environments" });
  const link = environments.getByRole("link", { name });
  const state = link.getByText("Off", { exact: true });
  await state.scrollIntoViewIfNeeded();
  const [inner, outer] = [await state.boundingBox(), await link.boundingBox()];
  if (!inner || !outer) throw new Error("The state is not visible");
  expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width);
  expect(await state.evaluate((node) => node.scrollWidth <= node.clientWidth)).toBe(true);
  // The heading has two lines at most.
  const heading = await page.getByRole("heading", { level: 1 }).boundingBox();
  expect(heading?.height).toBeLessThan(90);

  // From eight environments on, a select replaces the links.
  for (let index = 0; index < 5; index++)
    await api.post("/api/v1/environments", { name: `eu-${index}`, projectId: world.project.id });
  await page.reload();
  const select = environments.getByRole("combobox", { name: "Environment" });
  await expect(select).toHaveValue("production");
  await select.click();
  await page.getByRole("option", { name: "eu-4 Off" }).click();
  await expect(page.getByRole("region", { name: "eu-4", exact: true })).toBeVisible();
  await expect(environments.getByRole("link")).toHaveCount(0);
});

test("on a phone the kill switch is at the top and asks once, and switches are 44 px high", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const killSwitch = await newFlag(api, world, { flagType: "KILLSWITCH" });
  const release = await newFlag(api, world);
  await setStrategy(api, killSwitch, world.production, { enabled: true });
  await page.setViewportSize({ width: 1440, height: 900 });
  await openAs("DEVELOPER", flagPath(world, killSwitch));
  const environments = page.getByRole("navigation", { name: "Environments" });
  for (const link of await environments.getByRole("link").all())
    await expect(link).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 390, height: 844 });
  const kill = page.getByRole("button", { name: "Turn off in production" });
  await expect(kill).toBeInViewport({ ratio: 1 });
  expect((await kill.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  // The button stays there when the page scrolls.
  await page.getByRole("heading", { name: "Prerequisites" }).scrollIntoViewIfNeeded();
  await expect(kill).toBeInViewport({ ratio: 1 });
  await kill.click();
  await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByRole("button", { name: "Turn on in production" })).toBeVisible();

  await follow(page, flagPath(world, release));
  await expect(page.getByRole("heading", { level: 1, name: release.name })).toBeVisible();
  const label = page.locator("label").filter({ has: page.getByRole("switch") });
  await expect(label).toBeInViewport({ ratio: 1 });
  expect((await label.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  const actions = page.getByRole("button", { name: `Actions for ${release.name}` });
  const edit = page.getByRole("button", { name: "Edit", exact: true });
  expect((await actions.boundingBox())?.y).toBe((await edit.boundingBox())?.y);
  await actions.click();
  await expect(page.getByRole("menuitem")).toHaveText([
    "Playground",
    "Use in code",
    "Copy to …",
    "Clone …",
    "Archive",
  ]);
});
