import { expect, expectAccessible, test, type Page } from "./support/test.ts";
import { newFlag } from "./support/world.ts";

const PHONE = { width: 390, height: 844 };

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const commandPalette = (page: Page) => page.getByRole("combobox", { name: "Go to …" });

test("the layout and the command palette can be used by keyboard", async ({
  page,
  world,
  signInAs,
  consoleErrors,
}) => {
  await signInAs("ADMIN");
  await page.goto(`/projects/${world.project.id}/tags`);
  await expect(heading(page, "Tags")).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();

  await page.keyboard.press("Control+K");
  await expect(commandPalette(page)).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type("segm");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/segments$/);
  await expect(heading(page, "Segments")).toBeFocused();
  await expect(page).toHaveTitle(/^Segments/);

  await page.keyboard.press("Control+K");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Escape");
  await expect(commandPalette(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/segments$/);
  expect(consoleErrors).toEqual([]);
});

test("the command palette finds a flag by name and by key", async ({
  page,
  api,
  world,
  signInAs,
}) => {
  await newFlag(api, world, { key: "checkout-v2", name: "Pay on one page" });
  await newFlag(api, world, { key: "search-v2", name: "Another one" });
  await signInAs("VIEWER");
  await page.goto(`/projects/${world.project.id}/tags`);
  await expect(heading(page, "Tags")).toBeVisible();
  for (const query of ["ON ONE", "kout-v"]) {
    await page.keyboard.press("Control+K");
    await commandPalette(page).fill(query);
    const found = page.getByRole("option", { name: /Pay on one page/ });
    await expect(found).toHaveAttribute("aria-selected", "true");
    await expect(page.getByRole("option")).toHaveCount(1);
    await page.keyboard.press("Enter");
    await expect(heading(page, "Pay on one page")).toBeFocused();
    await page.goBack();
    await expect(heading(page, "Tags")).toBeFocused();
  }
});

test("on a phone the navigation opens over the page, and closing it returns the focus to the menu button", async ({
  page,
  world,
  signInAs,
  consoleErrors,
}) => {
  await page.setViewportSize(PHONE);
  await signInAs("ADMIN");
  await page.goto(`/projects/${world.project.id}/tags`);
  await expect(heading(page, "Tags")).toBeVisible();
  const segments = page.getByRole("link", { name: "Segments" });
  await expect(segments).toBeHidden();
  const project = page.getByText(world.project.name);
  await expect(project).toBeAttached();

  await page.getByRole("button", { name: "Open menu" }).click();
  await expect(segments).toBeVisible();
  await expect(page.getByRole("button", { name: new RegExp(world.project.name) })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(segments).toBeHidden();
  await expect(page.getByRole("button", { name: "Open menu" })).toBeFocused();

  await page.keyboard.press("Enter");
  await segments.click();
  await expect(heading(page, "Segments")).toBeFocused();
  await expect(segments).toBeHidden();
  expect(consoleErrors).toEqual([]);
});

test("the navigation hides pages that the role may not read", async ({ page, world, signInAs }) => {
  await signInAs("DEVELOPER");
  await page.goto(`/projects/${world.project.id}/tags`);
  await expect(page.getByRole("link", { name: "Segments" })).toBeVisible();
  for (const name of ["Users", "Organisation audit log", "Settings"])
    await expect(page.getByRole("link", { name, exact: true })).toHaveCount(0);
  await page.keyboard.press("Control+K");
  await commandPalette(page).fill("complete audit");
  await expect(page.getByText("Nothing found")).toBeVisible();
});

test("the browser's back button restores the scroll position of a list", async ({
  page,
  api,
  world,
  signInAs,
}) => {
  for (let number = 0; number < 40; number++) await newFlag(api, world);
  const last = await newFlag(api, world, { name: "Zebra" });
  await signInAs("ADMIN");
  await page.goto(`/projects/${world.project.id}/flags`);
  const link = page.getByRole("link", { name: last.name, exact: true });
  // Scrolls and clicks before the browser reports the scrolling, as an assistive technology can.
  await link.evaluate((node) => {
    node.scrollIntoView();
    node.click();
  });
  await expect(heading(page, last.name)).toBeVisible();
  expect(await page.evaluate("scrollY")).toBe(0);
  await page.goBack();
  await expect(link).toBeInViewport();
  await page.goForward();
  await expect(heading(page, last.name)).toBeVisible();
});
