import type { BrowserContext } from "@playwright/test";
import type { Schemas } from "./support/api.ts";
import { follow } from "./support/pages.ts";
import { setStrategy } from "./support/strategies.ts";
import { expect, type Page, test } from "./support/test.ts";
import { flagPath, listPath, newFlag, newStaleFlags } from "./support/world.ts";

const STREAM = "**/api/v1/projects/*/stream";

const isStream = (message: { url: () => string }) => message.url().endsWith("/stream");

/** Resolves when the page has opened its event stream. */
const streamOf = (page: Page) =>
  page.waitForResponse((response) => isStream(response) && response.ok());

/** Marks the document, so that `isReloaded` notices a reload. */
const mark = (page: Page) => page.evaluate("void (globalThis.isMarked = true)");
const isReloaded = (page: Page) => page.evaluate<boolean>("!globalThis.isMarked");

const scrollOf = (page: Page) => page.getByRole("main").evaluate((main) => main.scrollTop);

/** Hides or shows the tab, as the browser does when the user changes to another tab. */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate(`
    Object.defineProperty(document, "hidden", { configurable: true, value: ${isHidden} });
    Object.defineProperty(document, "visibilityState",
      { configurable: true, value: "${isHidden ? "hidden" : "visible"}" });
    document.dispatchEvent(new Event("visibilitychange"));
  `);

/** Counts the requests that load the list of flags. */
function countLists(page: Page): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (request.url().includes("/api/v1/flags/enriched")) count += 1;
  });
  return () => count;
}

test("a switch by a second user appears in the list and on the page of the flag, without a reload or a jump", async ({
  page,
  api,
  world,
  signInAs,
  browser,
  baseURL,
}) => {
  await newStaleFlags(world, 29);
  const flag = await newFlag(api, world, { name: "Zebra", key: "zebra" });
  await signInAs("VIEWER");
  const opened = streamOf(page);
  await page.goto(listPath(world));
  await opened;
  const row = page.getByRole("row", { name: new RegExp(flag.name) });
  await row.scrollIntoViewIfNeeded();
  const link = row.getByRole("link", { name: flag.name });
  await link.focus();
  await mark(page);
  const scroll = await scrollOf(page);
  expect(scroll).toBeGreaterThan(0);
  const before = await row.innerText();
  // Loading placeholders have the role "status". So has the number of flags, which always shows.
  await page.evaluate(`
    globalThis.placeholders = 0;
    new MutationObserver(() => {
      globalThis.placeholders += [...document.querySelectorAll("main [role=status]")]
        .filter((element) => element.textContent.includes("Loading")).length;
    }).observe(document.body, { childList: true, subtree: true });
  `);

  const other: BrowserContext = await browser.newContext({ baseURL: baseURL ?? "" });
  const second = await other.newPage();
  await signInAs("DEVELOPER", second);
  await second.goto(listPath(world, `?search=${flag.key}`));
  await second.getByRole("switch", { name: `${flag.name} in development` }).press("Space");
  await expect.poll(() => row.innerText()).not.toBe(before);
  expect(await isReloaded(page)).toBe(false);
  expect(await scrollOf(page)).toBe(scroll);
  await expect(link).toBeFocused();
  expect(await page.evaluate("globalThis.placeholders")).toBe(0);

  await link.click();
  await expect(page.getByRole("heading", { level: 1, name: flag.name })).toBeVisible();
  await setStrategy(api, flag, world.development, { enabled: true, percentage: 37 });
  await expect(page.getByRole("link", { name: "development" })).toContainText("37%");
  expect(await isReloaded(page)).toBe(false);
  await other.close();
});

test("a form with unsaved changes and the dialog of a context definition keep their input when somebody else changes the same, warn of that change, and do not overwrite it", async ({
  page,
  api,
  world,
  signInAs,
}) => {
  const flag = await newFlag(api, world);
  await signInAs("DEVELOPER");
  const opened = streamOf(page);
  await page.goto(flagPath(world, flag, world.development));
  const form = page.getByRole("region", { name: world.development.name, exact: true });
  const rollOut = form.getByRole("textbox", { name: "Roll-out" });
  await rollOut.fill("40");
  await opened;
  await setStrategy(api, flag, world.development, { percentage: 60 });
  const notice = form.getByRole("alert").filter({ hasText: "60% of users" });
  await expect(notice).toContainText(/admin changed this (\d+ seconds? ago|now)/);
  await expect(rollOut).toHaveValue("40%");
  await notice.getByRole("button", { name: "Load saved version" }).click();
  await expect(rollOut).toHaveValue("60%");
  await expect(notice).toHaveCount(0);

  const content = { name: "Country", contextKey: "country", contextType: "string" } as const;
  const context = await api.post<Schemas["ContextDefinition"]>("/api/v1/contexts", {
    ...content,
    projectId: world.project.id,
  });
  const path = `/api/v1/contexts/${context.id}`;
  await follow(page, `/projects/${world.project.id}/contexts/${context.id}`);
  await page.getByRole("button", { name: "Edit context" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit context" });
  const name = dialog.getByRole("textbox", { name: "Name" });
  await name.fill("My name");
  await api.put(path, { ...content, name: "Their name" });
  // The page behind the dialog, which screen readers do not see, learns of the change.
  const heading = page.getByRole("heading", { level: 1, includeHidden: true });
  await expect(heading).toHaveText("Their name");
  await expect(name).toHaveValue("My name");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Someone else changed this");
  expect(await api.get(path)).toMatchObject({ name: "Their name", version: context.version + 1 });
  await expect(name).toHaveValue("My name");
});

test("while the stream fails, a change appears when the tab becomes visible, and nothing is shown", async ({
  page,
  api,
  world,
  signInAs,
}) => {
  await newFlag(api, world, { name: "First" });
  await page.route(STREAM, (route) => route.abort());
  await signInAs("VIEWER");
  const lists = countLists(page);
  const failed = page.waitForEvent("requestfailed", isStream);
  await page.goto(listPath(world));
  await expect(page.getByRole("row", { name: /First/ })).toBeVisible();
  await failed;
  await setHidden(page, true);
  await newFlag(api, world, { name: "Second" });
  expect(lists()).toBe(1);
  await setHidden(page, false);
  await expect(page.getByRole("row", { name: /Second/ })).toBeVisible();
  expect(lists()).toBe(2);
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a hidden tab closes its stream, and opens it again with the last event when it becomes visible", async ({
  page,
  api,
  world,
  signInAs,
}) => {
  await newFlag(api, world, { name: "First" });
  await signInAs("VIEWER");
  const opened = streamOf(page);
  await page.goto(listPath(world));
  await opened;
  await newFlag(api, world, { name: "Second" });
  await expect(page.getByRole("row", { name: /Second/ })).toBeVisible();
  const closed = page.waitForEvent("requestfailed", isStream);
  await setHidden(page, true);
  await closed;
  const again = page.waitForRequest(isStream);
  await setHidden(page, false);
  expect((await again).headers()["last-event-id"]).toMatch(/^\d+$/);
  await newFlag(api, world, { name: "Third" });
  await expect(page.getByRole("row", { name: /Third/ })).toBeVisible();
});
