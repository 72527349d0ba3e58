import { Api, type Schemas } from "./support/api.ts";
import { execute } from "./support/database.ts";
import { addFilter } from "./support/filters.ts";
import { follow } from "./support/pages.ts";
import { setStrategy } from "./support/strategies.ts";
import { smallTargets } from "./support/targets.ts";
import { expect, expectAccessible, NEXT_FRAME, type Page, test } from "./support/test.ts";
import { listPath, newFlag } from "./support/world.ts";

/** The links with the names of the flags in the table, in the order of its rows. */
const names = (page: Page) => page.getByRole("rowheader").getByRole("link");

test("a flag is created with a key that is derived from its name, after errors at the fields", async ({
  page,
  world,
  api,
  openAs,
}) => {
  const { key } = await newFlag(api, world);
  await openAs("DEVELOPER", listPath(world));
  await page.getByRole("button", { name: "New flag" }).click();
  const form = page.getByRole("dialog", { name: "New flag" });
  const [name, keyField] = [form.getByLabel("Name"), form.getByLabel("Key").first()];
  const create = form.getByRole("button", { name: "Create flag" });
  await create.click();
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription(/Required/);

  await name.fill("新しい支払い");
  await expect(keyField).toHaveValue(/^flag-[a-z0-9]+$/);
  await name.fill("Новая корзина");
  await expect(keyField).toHaveValue("novaya-korzina");
  await name.fill("Straße & Größe: Çok Łatwe");
  await expect(keyField).toHaveValue("strasse-groesse-cok-latwe");
  await keyField.fill("no spaces");
  await create.click();
  await expect(keyField).toHaveAttribute("aria-invalid", "true");
  await keyField.fill(key);
  await form.getByRole("radio", { name: /Kill switch/ }).click();
  await form.getByLabel("Tags").fill("checkout");
  await page.keyboard.press("Enter");
  await form.getByText("Text", { exact: true }).click();
  const variant = form.getByRole("group", { name: "Variant 1" });
  await variant.getByLabel("Key").fill("first");
  await variant.getByRole("textbox", { name: "Value" }).fill("Buy now");
  await create.click();
  await expect(keyField).toHaveAccessibleDescription(/Another flag of this project has this key/);
  await expect(keyField).toBeFocused();
  await expect(form.getByRole("alert")).toHaveCount(0);
  await expectAccessible(page);

  await keyField.fill("buy");
  await create.click();
  await expect(page).toHaveURL(/\/flags\/\d+\?environment=\d+$/);
  await expect(page.getByRole("region", { name: "Variants", exact: true })).toContainText(
    "Buy now",
  );
  await page.getByRole("link", { name: "All flags" }).click();
  const row = page.getByRole("row", { name: /Straße/ });
  await expect(row.getByText("Kill switch")).toBeVisible();
  await expect(row.getByText("checkout", { exact: true })).toBeVisible();
});

test("a flag is switched after a confirmation and a reason only in production, archived, restored, and deleted after typing its key", async ({
  page,
  world,
  api,
  openAs,
}) => {
  const flag = await newFlag(api, world, { name: "Express" });
  await setStrategy(api, flag, world.production, { percentage: 25 });
  await openAs("DEVELOPER", listPath(world));
  const inDevelopment = page.getByRole("switch", { name: "Express in development" });
  const inProduction = page.getByRole("switch", { name: "Express in production" });

  await inDevelopment.focus();
  await page.keyboard.press("Space");
  await expect(page.getByText("Express turned on in development")).toBeVisible();

  await inProduction.focus();
  await page.keyboard.press("Space");
  const question = page.getByRole("dialog", { name: "Turn on Express in production?" });
  await expect(question).toContainText("“Express” turns on for 25% of users within 30 seconds.");
  await expectAccessible(page);
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(inProduction).not.toBeChecked();

  await inProduction.click();
  await expect(question.getByRole("button", { name: "Turn on" })).toBeFocused();
  await question.getByRole("textbox", { name: /^Reason/ }).fill("Launch of Ülker");
  await page.keyboard.press("Enter");
  await expect(inProduction).toBeChecked();
  const notification = page.getByRole("alert").filter({ hasText: "turned on in production" });
  await expect(notification).toBeVisible();
  const audit = `/api/v1/audit?projectId=${world.project.id}`;
  const { items } = await api.get<Schemas["AuditPage"]>(audit);
  expect(items[0]).toMatchObject({ reason: "Launch of Ülker" });

  await notification.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Express turned off in production")).toBeVisible();
  await expect(inProduction).not.toBeChecked();

  const act = async (action: string) => {
    await page.getByRole("button", { name: "Actions for Express" }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };
  const archive = async () => {
    await act("Archive");
    const warning = page.getByRole("dialog", { name: "Archive “Express”?" });
    await warning.getByRole("button", { name: "Archive" }).click();
    await expect(page.getByText("No active flags")).toBeVisible();
  };
  await archive();
  await page
    .getByRole("alert")
    .filter({ hasText: "archived" })
    .getByRole("button", { name: "Undo" })
    .click();
  await expect(names(page)).toHaveText(["Express"]);
  await archive();

  await page.getByRole("link", { name: "Show archived flags" }).click();
  await act("Delete");
  const deletion = page.getByRole("dialog", { name: "Delete “Express”?" });
  const confirm = deletion.getByRole("button", { name: "Delete permanently" });
  await deletion.getByRole("textbox").fill("Express");
  await expect(confirm).toBeDisabled();
  await expectAccessible(page);
  await deletion.getByRole("textbox").fill(flag.key);
  await confirm.click();
  await expect(page.getByText("No matching flags")).toBeVisible();
});

test("the list of flags keeps search, filters and order in the URL, and ignores invalid parameters", async ({
  page,
  world,
  api,
  openAs,
}) => {
  const tags = ["shop", ...["billing", "delivery", "search", "web"].map((tag) => `team-${tag}`)];
  await newFlag(api, world, { name: "Alpha", tags });
  const beta = await newFlag(api, world, { name: "Beta", tags: ["shop"] });
  const gamma = await newFlag(api, world, { name: "Gamma", tags: ["shop"] });
  await newFlag(api, world, { name: "Delta" });
  for (const flag of [beta, gamma])
    await setStrategy(api, flag, world.production, { enabled: true });
  await openAs(
    "DEVELOPER",
    listPath(world, "?page=7&type=NOTHING&sort=color&environment=x&archived=maybe"),
  );
  await expect(names(page)).toHaveText(["Alpha", "Beta", "Delta", "Gamma"]);
  await expect(page.getByText(/^\+\d$/)).toHaveAttribute("title", /^shop, .*team-web$/);

  await page.getByRole("button", { name: "Last changed" }).click();
  await expect(names(page)).toHaveText(["Gamma", "Beta", "Delta", "Alpha"]);
  await expect(page.getByRole("columnheader", { name: "Last changed" })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
  await page.keyboard.press("/");
  await expect(page.getByRole("combobox", { name: "Search" })).toBeFocused();
  await addFilter(page, "Tag", "shop");
  await addFilter(page, "State", "On in production");
  await expect(names(page)).toHaveText(["Gamma", "Beta"]);

  // A chip changes its filter with the keyboard, and its cross removes the filter.
  const state = page.getByRole("button", { name: "State: On in production" });
  await expect(state).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(names(page)).toHaveText(["Alpha"]);
  await page.getByRole("button", { name: "Remove filter: State" }).click();
  await expect(page.getByRole("button", { name: "Filter", exact: true })).toBeFocused();
  await expect(names(page)).toHaveText(["Gamma", "Beta", "Alpha"]);
  // A filter without a value disappears with Escape.
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "State" }).click();
  await expect(page.getByRole("button", { name: "State: …" })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "State: …" })).toHaveCount(0);
  await addFilter(page, "State", "On in production");
  await expect(names(page)).toHaveText(["Gamma", "Beta"]);
  await page.getByRole("combobox", { name: "Search" }).fill("amm");
  await expect(names(page)).toHaveText(["Gamma"]);
  await expect(page).toHaveURL(/search=amm/);

  await page.reload();
  await expect(names(page)).toHaveText(["Gamma"]);
  await expect(page.getByRole("combobox", { name: "Search" })).toHaveValue("amm");
  await names(page).click();
  await expect(page.getByRole("heading", { level: 1, name: "Gamma" })).toBeVisible();
  await page.getByRole("link", { name: "All flags" }).click();
  await expect(page).toHaveURL(/tag=shop.*search=amm|search=amm.*tag=shop/);
  await expect(names(page)).toHaveText(["Gamma"]);
  await page.getByRole("combobox", { name: "Search" }).fill("Gmama");
  await expect(page.getByText("No flag contains “Gmama”. 1 similar flag:")).toBeVisible();
  await expect(names(page)).toHaveText(["Gamma"]);
  await page.getByRole("combobox", { name: "Search" }).fill("nothing like it");
  await expect(page.getByText("No matching flags")).toBeVisible();
  await page.getByRole("button", { name: "Clear all filters" }).click();
  await expect(names(page)).toHaveText(["Gamma", "Beta", "Delta", "Alpha"]);
  await expect(page.getByRole("combobox", { name: "Search" })).toHaveValue("");
});

test("the search box of the list understands and offers filters, a filter takes several values, and the project shares filters", async ({
  page,
  world,
  api,
  openAs,
}) => {
  const alpha = await newFlag(api, world, { name: "Retry of step 237", tags: ["shop"] });
  await newFlag(api, world, { name: "Beta", tags: ["web mail"] });
  await newFlag(api, world, { name: "Gamma" });
  await setStrategy(api, alpha, world.production, { enabled: true });
  const operations = [
    {
      kind: "strategy.set",
      target: { flagId: alpha.id, environmentId: world.production.id },
      input: { percentage: 40 },
    },
  ];
  const request = { projectId: world.project.id, title: "More", operations };
  await api.post("/api/v1/change-requests", request);
  await openAs("DEVELOPER", listPath(world));
  const mark = page
    .getByRole("row", { name: /Retry/ })
    .getByRole("img", { name: /change request/ });
  await expect(mark).toHaveAccessibleName("1 open change request");
  const search = page.getByRole("combobox", { name: "Search" });
  // The list is dimmed until it has the new flags.
  const settled = () => expect(page.locator("[data-outdated]")).toHaveCount(0);
  const chip = (name: string) => page.getByRole("button", { name, exact: true });

  await search.fill("237 retry");
  await expect(names(page)).toHaveText(["Retry of step 237"]);
  await search.fill("ta");
  await expect(page.getByRole("option", { name: "tag:" })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("option", { name: "tag:shop" })).toBeVisible();
  await settled();
  await expectAccessible(page);
  await page.keyboard.type("mai");
  await page.keyboard.press("Enter");
  await expect(chip("Tag: web mail")).toBeVisible();
  await expect(search).toHaveValue("");
  await expect(search).toBeFocused();
  await expect(names(page)).toHaveText(["Beta"]);

  // The menu and the chip change the same filter.
  await addFilter(page, "Tag", "shop");
  await expect(chip("Tag: web mail, shop")).toBeVisible();
  await expect(names(page)).toHaveText(["Beta", "Retry of step 237"]);
  await search.fill("-tag:shop ");
  await expect(chip("Tag: web mail, not shop")).toBeVisible();
  await page.getByRole("button", { name: "Clear all" }).click();
  await search.fill("on:production off:development retry");
  await expect(chip("State: On in production, Off in development")).toBeVisible();
  await expect(search).toHaveValue("retry");
  await expect(names(page)).toHaveText(["Retry of step 237"]);
  await page.getByRole("button", { name: "Clear all" }).click();

  await search.fill("color:red");
  await expect(page.getByText("“color:” is no filter, so it is searched as text.")).toBeVisible();
  await expect(page).toHaveURL(/search=color/);
  await expect(search).toHaveValue("color:red");
  await settled();
  await expectAccessible(page);

  const shared = { projectId: world.project.id, name: "All mail", query: "tag=mail" };
  await api.post("/api/v1/shared-filters", shared);
  await page.goto(listPath(world, "?tag=shop"));
  const choose = async (from: string, item: string) => {
    await chip(from).click();
    await page.getByRole("menuitem", { name: item, exact: true }).click();
  };
  await choose("Saved filters", "Save these filters …");
  const form = page.getByRole("dialog", { name: "Save these filters" });
  await form.getByLabel("Name").fill("All mail");
  await form.getByRole("checkbox", { name: "Share with the project" }).check();
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByLabel("Name")).toHaveAccessibleDescription(/Another saved filter/);
  await form.getByLabel("Name").fill("Shop");
  await form.getByRole("button", { name: "Save" }).click();
  await choose("Saved filters: Shop", "Delete “Shop”");
  await expect(chip("Saved filters")).toBeVisible();
});

test("favourites are kept for the user, marked on both pages, and filter the list", async ({
  page,
  world,
  api,
  openAs,
}) => {
  for (const name of ["Alpha", "Beta", "Gamma"]) await newFlag(api, world, { name });
  await openAs("VIEWER", listPath(world, "?favourite=true"));
  await expect(page.getByText("No favourites yet")).toBeVisible();
  await page.getByRole("button", { name: "Show all flags" }).click();
  const star = (name: string) => page.getByRole("button", { name: `Favourite: ${name}` });
  await star("Beta").click();
  await expect(star("Beta")).toHaveAttribute("aria-pressed", "true");
  await names(page).filter({ hasText: "Gamma" }).click();
  await star("Gamma").click();
  await expect(star("Gamma")).toHaveAttribute("aria-pressed", "true");

  await follow(page, listPath(world));
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByRole("menuitem", { name: "Favourites" }).click();
  await expect(names(page)).toHaveText(["Beta", "Gamma"]);
  await expect(page).toHaveURL(/favourite=true/);
  await star("Beta").click();
  await expect(names(page)).toHaveText(["Gamma"]);
});

test("a favourite stays marked when an older response arrives after the click", async ({
  page,
  world,
  api,
  signInAs,
}) => {
  for (const name of ["Alpha", "Beta"]) await newFlag(api, world, { name });
  await signInAs("VIEWER");
  const stream = page.waitForResponse((response) => response.url().endsWith("/stream"));
  await page.goto(listPath(world));
  const star = (name: string) => page.getByRole("button", { name: `Favourite: ${name}` });
  await expect(star("Alpha")).toBeVisible();
  await stream;

  // A refetch reads the preferences before the click, and its response arrives after the click.
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: isRead, resolve: read } = Promise.withResolvers<void>();
  const url = "**/api/v1/auth/me/preferences*";
  await page.route(url, async (route) => {
    if (route.request().method() !== "GET") return route.continue();
    const response = await route.fetch();
    read();
    await released;
    return route.fulfill({ response });
  });
  await newFlag(api, world, { name: "Gamma" });
  await isRead;
  await star("Alpha").click();
  await expect(star("Alpha")).toHaveAttribute("aria-pressed", "true");
  release();
  await page.evaluate(NEXT_FRAME);
  await expect(star("Alpha")).toHaveAttribute("aria-pressed", "true");
  await page.unrouteAll({ behavior: "wait" });

  // The response to the first of two clicks is late.
  const { promise: isClicked, resolve: clicked } = Promise.withResolvers<void>();
  await page.route(
    url,
    async (route) => {
      const response = await route.fetch();
      await isClicked;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await star("Beta").click();
  await star("Gamma").click();
  await page.evaluate(NEXT_FRAME);
  clicked();
  for (const name of ["Alpha", "Beta", "Gamma"])
    await expect(star(name)).toHaveAttribute("aria-pressed", "true");
});

test("filters are saved under a name, applied on another visit, replaced, renamed and deleted", async ({
  page,
  world,
  api,
  signInAs,
}) => {
  await newFlag(api, world, { name: "Alpha", tags: ["shop"] });
  await newFlag(api, world, { name: "Beta", tags: ["mail"] });
  await newFlag(api, world, { name: "Gamma" });
  await signInAs("VIEWER");
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
  const choose = async (from: string | RegExp, item: string) => {
    await button(from).click();
    await page.getByRole("menuitem", { name: item, exact: true }).click();
  };
  await page.goto(listPath(world, "?tag=shop&sort=-createdAt"));
  await expect(names(page)).toHaveText(["Alpha"]);
  await choose("Saved filters", "Save these filters …");
  const form = page.getByRole("dialog", { name: "Save these filters" });
  await expectAccessible(page);
  await form.getByLabel("Name").fill("Ours");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(button("Saved filters: Ours")).toBeVisible();

  await page.goto(listPath(world));
  await expect(names(page)).toHaveText(["Alpha", "Beta", "Gamma"]);
  await choose("Saved filters", "Ours");
  await expect(names(page)).toHaveText(["Alpha"]);
  await expect(page).toHaveURL(/tag=shop/);
  await expect(page).toHaveURL(/sort=-createdAt/);

  await page.getByRole("button", { name: "Clear all" }).click();
  await addFilter(page, "Tag", "mail");
  await expect(names(page)).toHaveText(["Beta"]);
  await choose("Saved filters", "Update “Ours” with these filters");
  await expect(button("Saved filters: Ours")).toBeVisible();
  await choose("Saved filters: Ours", "Rename “Ours” …");
  const renaming = page.getByRole("dialog", { name: "Rename “Ours”" });
  await renaming.getByLabel("Name").fill("Mail");
  await renaming.getByLabel("Name").press("Enter");
  await expect(button("Saved filters: Mail")).toBeVisible();

  await choose("Saved filters: Mail", "Delete “Mail”");
  await expect(button("Saved filters")).toBeVisible();

  const shared = { projectId: world.project.id, name: "All mail", query: "tag=mail" };
  await api.post("/api/v1/shared-filters", shared);
  await page.goto(listPath(world));
  await choose("Saved filters", "All mail");
  await expect(names(page)).toHaveText(["Beta"]);
  await button("Saved filters: All mail").click();
  await expect(page.getByText("Of the project")).toBeVisible();
  await expect(page.getByRole("menuitem", { name: /Delete/ })).toHaveCount(0);
  await page.keyboard.press("Escape");
});

test("the flags that a user opened last are in the list and, before typing, in the palette", async ({
  page,
  world,
  api,
  signInAs,
}) => {
  for (const name of ["Alpha", "Beta"]) await newFlag(api, world, { name });
  await signInAs("VIEWER");
  let writes = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/me/preferences")) writes += 1;
  });
  const recent = page.getByRole("navigation", { name: "Recently opened" });
  await page.goto(listPath(world));
  for (const [name, opened] of [
    ["Alpha", ["Alpha"]],
    ["Beta", ["Beta", "Alpha"]],
  ] as const) {
    const isRecorded = page.waitForResponse((response) => response.url().endsWith("/preferences"));
    await names(page).filter({ hasText: name }).click();
    await isRecorded;
    await page.getByRole("link", { name: "All flags" }).click();
    await expect(recent.getByRole("link")).toHaveText([...opened]);
  }
  // Opens the flag that is the newest in the list already. The page does not record it again.
  await recent.getByRole("link", { name: "Beta" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Beta" })).toBeVisible();
  await page.keyboard.press("Control+k");
  const group = page.getByRole("group", { name: "Recently opened" });
  await expect(group.getByRole("option")).toHaveText([/^Alpha/]);
  await expect(page.getByRole("combobox", { name: "Go to …" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Alpha" })).toBeVisible();
  await expect.poll(() => writes).toBe(3);
});

test("a list with eight environments fits into the window, and users choose its columns", async ({
  page,
  world,
  api,
  people,
  openAs,
}) => {
  const { project, production } = world;
  for (const name of [
    "qa",
    "load",
    "demo",
    "preview",
    "europe-west-staging-of-payments",
    "sandbox",
  ])
    await api.post("/api/v1/environments", { name, projectId: project.id });
  const ann = await Api.signIn(people.DEVELOPER);
  const name = `Kill the recommendations ${"when the service is slow ".repeat(6)}`.trim();
  const flag = await newFlag(api, world, { name: "Alpha", ownerIds: [ann.session.user.id] });
  const longKey = `long-${"key-".repeat(20)}`;
  await newFlag(api, world, { name, key: longKey, flagType: "KILLSWITCH" });
  const key = "payments-by-invoice";
  await newFlag(api, world, { name: "Invoice", key, flagType: "KILLSWITCH" });
  await setStrategy(ann, flag, production, { enabled: true });
  await execute(`INSERT INTO usage_hours (flag_id, environment_id, hour, t, f)
    VALUES (${flag.id}, ${production.id}, ${Date.now() - (Date.now() % 3_600_000)}, 1200, 34);`);
  const user = await openAs("VIEWER", listPath(world));
  const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: "Alpha" }) });
  await expect(row.getByRole("cell")).toHaveText([
    "Off",
    "On 100%",
    "Off",
    "0 of 5 on",
    "1.2K",
    new RegExp(`^${ann.session.user.name}`),
    "",
  ]);
  await expect(
    row.getByRole("img", { name: "1,234 evaluations in production in the last 7 days" }),
  ).toBeVisible();
  const tooWide = await page.evaluate<number>(
    "(({ offsetWidth, parentElement }) => offsetWidth - parentElement.clientWidth)(document.querySelector('table'))",
  );
  expect(tooWide).toBeLessThanOrEqual(0);
  // A row is 48 px high, and its border 1 px. A long name and a long key take at most two lines
  // each, and badges that do not fit beside the key one more.
  expect((await row.boundingBox())?.height).toBeLessThanOrEqual(49);
  const long = page.getByRole("row").filter({ hasText: "Kill the recommendations" });
  expect((await long.boundingBox())?.height).toBeLessThanOrEqual(111);
  await expect(long.getByTitle(longKey)).toBeVisible();
  await page.setViewportSize({ width: 1024, height: 768 });
  const hidden = `(({ clientHeight, clientWidth, scrollHeight, scrollWidth }) =>
    scrollWidth - clientWidth + scrollHeight - clientHeight)(document.querySelector("[title='${key}']"))`;
  expect(await page.evaluate(hidden), "the part of the key that is cut").toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  const filters = page.getByRole("search", { name: "Filters" });
  expect((await filters.boundingBox())?.height).toBeLessThan(40);

  await page.getByRole("button", { name: "Columns" }).click();
  const choice = page.getByRole("dialog", { name: "Columns" });
  for (const column of ["production", "Usage", "Last changed"])
    await choice.getByRole("checkbox", { name: column, exact: true }).uncheck();
  await choice.getByRole("checkbox", { name: "Owners" }).check();
  await expectAccessible(page);
  const path = `/api/v1/auth/me/preferences?projectId=${project.id}`;
  const saved = async () => (await user.get<Schemas["Preferences"]>(path)).columns;
  await expect.poll(saved).toContain("owners");
  const chosen = ["Off", "Off", "1 of 6 on", ann.session.user.name, ""];
  await expect(row.getByRole("cell")).toHaveText(chosen);
  await page.reload();
  await expect(row.getByRole("cell")).toHaveText(chosen);

  await addFilter(page, "Owner", ann.session.user.name);
  await expect(names(page)).toHaveText(["Alpha"]);
  await page.getByRole("button", { name: "Columns" }).click();
  await choice.getByRole("button", { name: "Default columns" }).click();
  await expect(page.getByRole("columnheader", { name: "Usage" })).toBeVisible();
});

test("a narrow screen shows flags as cards, selects them with controls that fit fingers, and never scrolls sideways", async ({
  page,
  world,
  api,
  openAs,
}) => {
  const key = `a-key-that-is-${"rather-".repeat(12)}long`;
  await newFlag(api, world, { key, name: "Narrow", flagType: "KILLSWITCH" });
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs("DEVELOPER", listPath(world));
  const card = page.getByRole("listitem").filter({ hasText: "Narrow" });
  await expect(card.getByRole("switch", { name: "Narrow in production" })).toBeVisible();
  await card.getByRole("button", { name: "Actions for Narrow" }).click();
  await page.getByRole("menuitem", { name: "Turn on in development" }).click();
  await expect(page.getByText("Narrow turned on in development")).toBeVisible();
  await addFilter(page, "Sort", "Newest first");
  await expect(page.getByRole("button", { name: "Sort: Newest first" })).toBeInViewport({
    ratio: 1,
  });
  // The list is dimmed until it has the new order.
  await expect(page.locator("[data-outdated]")).toHaveCount(0);
  await expectAccessible(page);
  const overflow = () =>
    page.evaluate<number>(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
  expect(await overflow()).toBeLessThanOrEqual(0);
  await page.getByRole("button", { name: "New flag" }).click();
  const form = page.getByRole("dialog", { name: "New flag" });
  await expect(form).toBeVisible();
  expect(await overflow()).toBeLessThanOrEqual(0);
  await form.getByRole("button", { name: "Cancel" }).click();

  await page.getByRole("checkbox", { name: "Select Narrow", exact: true }).check();
  const bar = page.getByRole("toolbar", { name: "Actions for the selected flags" });
  await expect(bar).toBeVisible();
  await expectAccessible(page);
  expect(await overflow()).toBeLessThanOrEqual(0);
  expect(await smallTargets(page)).toEqual([]);
  await bar.getByRole("button", { name: "Archive" }).click();
  await expect(page.getByRole("button", { name: "Archive 1 flag" })).toBeVisible();
  expect(await smallTargets(page)).toEqual([]);
});
