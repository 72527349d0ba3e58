import { expect, expectAccessible, test, type Page } from "./support/test.ts";
import { newFlag, newStaleFlags } from "./support/world.ts";

const PHONE = { width: 390, height: 844 };

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const commandPalette = (page: Page) => page.getByRole("combobox", { name: "Go to …" });

test("the layout and the command palette can be used by keyboard", async ({
  page,
  world,
  openAs,
}) => {
  await openAs("ADMIN", `/projects/${world.project.id}/tags`);
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

  await page.keyboard.press("Control+K");
  await commandPalette(page).fill("new flag");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "New flag" })).toBeVisible();
});

test("the command palette forgives typing errors, finds flags of all projects and items of lists by words in any order, and changes the theme", async ({
  page,
  api,
  world,
  openAs,
}) => {
  await newFlag(api, world, { key: "gift-certificates", name: "Gift certificates" });
  await openAs("ADMIN", "/users");
  await expect(heading(page, "Users")).toBeVisible();
  await page.keyboard.press("Control+K");
  await commandPalette(page).fill("gift-certifciates");
  await expect(page.getByRole("option", { name: new RegExp(world.project.name) })).toBeVisible();
  await commandPalette(page).fill("setings");
  await expect(page.getByRole("option", { name: /^Settings/ })).toBeVisible();
  const option = (name: RegExp) => page.getByRole("option", { name });
  const found = async (query: string, name: RegExp) => {
    await commandPalette(page).fill(query);
    await expect(option(name).first()).toBeVisible();
  };
  await found(`on production ${world.project.name} gift`, /^Turn on Gift certificates in/);
  await found("admin@example.com", /admin@example\.com/);
  await commandPalette(page).fill("theme dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
});

test("single keys open pages, the search, a form and the list of shortcuts, but not while typing", async ({
  page,
  world,
  openAs,
}) => {
  await openAs("ADMIN", `/projects/${world.project.id}/tags`);
  await expect(heading(page, "Tags")).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await expect(heading(page, "Segments")).toBeFocused();
  await page.keyboard.press("/");
  await expect(commandPalette(page)).toBeFocused();
  await page.keyboard.type("g t n ?");
  await expect(commandPalette(page)).toHaveValue("g t n ?");
  await page.keyboard.press("Escape");
  await expect(commandPalette(page)).toHaveCount(0);

  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(help.getByRole("row", { name: /^Flags\s*G\s*F$/ })).toBeVisible();
  await expectAccessible(page);
  await help.getByRole("switch", { name: "Single-key shortcuts" }).click();
  await page.keyboard.press("Escape");
  await expect(help).toHaveCount(0);
  await page.keyboard.press("n");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.evaluate("localStorage.removeItem('feature-flags.shortcuts')");
  await page.keyboard.press("n");
  await expect(page.getByRole("dialog", { name: "New segment" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("u");
  await expect(heading(page, "Users")).toBeFocused();
  await page.keyboard.press("n");
  await expect(page.getByRole("dialog", { name: "Invite user" })).toBeVisible();
});

test("on a phone the navigation opens over the page, and closing it returns the focus to the menu button", async ({
  page,
  world,
  openAs,
}) => {
  await page.setViewportSize(PHONE);
  await openAs("ADMIN", `/projects/${world.project.id}/tags`);
  await expect(heading(page, "Tags")).toBeVisible();
  const segments = page.getByRole("link", { name: "Segments" });
  await expect(segments).toBeHidden();
  const name = new RegExp(world.project.name);
  await expect(page.getByRole("button", { name, includeHidden: true })).toBeAttached();
  await expect(page.getByRole("banner").getByText(world.project.name)).toBeVisible();

  await page.getByRole("button", { name: "Open menu" }).click();
  await expect(segments).toBeVisible();
  await expect(page.getByRole("button", { name })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(segments).toBeHidden();
  await expect(page.getByRole("button", { name: "Open menu" })).toBeFocused();

  await page.keyboard.press("Enter");
  await segments.click();
  await expect(heading(page, "Segments")).toBeFocused();
  await expect(segments).toBeHidden();
});

test("the first visit opens the flags of the only project", async ({ page, world, openAs }) => {
  await page.route(
    ({ pathname }) => pathname === "/api/v1/projects",
    (route) => route.fulfill({ json: [world.project] }),
  );
  await openAs("ADMIN", "/");
  await expect(page).toHaveURL(new RegExp(`/projects/${world.project.id}/flags$`));
  await expect(heading(page, "Flags")).toBeVisible();
});

test("a group of the navigation can be closed, and the navigation can collapse to icons, and both stay so", async ({
  page,
  world,
  openAs,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openAs("ADMIN", `/projects/${world.project.id}/tags`);
  const group = page.getByRole("button", { name: "Release", exact: true });
  const segments = page.getByRole("link", { name: "Segments" });
  await expect(segments).toBeVisible();
  // All groups are visible without scrolling.
  await expect(page.getByRole("link", { name: "API reference" })).toBeInViewport({ ratio: 1 });
  await group.click();
  await expect(segments).toBeHidden();
  await expect(page.getByRole("link", { name: "Environments" })).toBeVisible();
  // The tags have no link of their own: that of their section is marked, and tabs lead to its pages.
  const section = page.getByRole("navigation", { name: "Pages of this section" });
  await expect(section.getByRole("link", { name: "Tags" })).toHaveAttribute("aria-current", "page");
  const main = page.getByRole("navigation", { name: "Main" });
  await expect(main.getByRole("link", { name: "Project settings" })).toHaveAttribute(
    "aria-current",
    "true",
  );
  expect(await main.getByRole("listitem").count()).toBeLessThanOrEqual(12);

  // The collapsed navigation shows the icons of all groups, with the names as tooltips.
  await page.getByRole("button", { name: "Collapse navigation" }).click();
  await page.reload();
  const navigation = page.getByRole("complementary");
  await expect(navigation).toHaveCSS("width", "60px");
  await expectAccessible(page);
  await segments.hover();
  await expect(page.getByRole("tooltip", { name: "Segments" })).toBeVisible();
  await page.getByRole("button", { name: "Expand navigation" }).click();
  await expect(group).toHaveAttribute("aria-expanded", "false");
  await expect(segments).toBeHidden();
  await group.press("Enter");
  await expect(segments).toBeVisible();
});

test("the browser's back button restores the scroll position of a list, whose header stays visible", async ({
  page,
  api,
  world,
  openAs,
}) => {
  await api.post("/api/v1/environments", { name: "staging", projectId: world.project.id });
  await newStaleFlags(world, 40);
  const last = await newFlag(api, world, { name: "Zebra" });
  await openAs("ADMIN", `/projects/${world.project.id}/flags`);
  const link = page.getByRole("table").getByRole("link", { name: last.name, exact: true });
  // Scrolls and clicks before the browser reports the scrolling, as an assistive technology can.
  await link.evaluate((node) => {
    node.scrollIntoView();
    node.click();
  });
  await expect(heading(page, last.name)).toBeVisible();
  expect(await page.getByRole("main").evaluate((main) => main.scrollTop)).toBe(0);
  await page.goBack();
  await expect(link).toBeInViewport();
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 768 });
    const header = page.getByRole("columnheader", { name: "production" });
    await expect(header).toBeInViewport({ ratio: 1 });
    // A region is a table that scrolls sideways.
    await expect(page.getByRole("region", { name: "Flags" })).toHaveCount(0);
  }
  await page.goForward();
  await expect(heading(page, last.name)).toBeVisible();
});
