import type { Route } from "@playwright/test";
import { follow } from "./support/pages.ts";
import { expect, expectAccessible, hold, type Page, test } from "./support/test.ts";

const alert = (page: Page) => page.getByRole("main").getByRole("alert");
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

test.describe("without a network", () => {
  // The browser reports page code that does not load as an error in the console.
  test.use({ mayLogErrors: true });

  test("the dashboard keeps the loaded page when offline, says that it is offline, and loads what is missing when the network is back", async ({
    page,
    context,
    world,
    openAs,
  }) => {
    await openAs("ADMIN", `/projects/${world.project.id}/tags`);
    const loaded = page.getByText("No tags yet");
    await expect(loaded).toBeVisible();
    await context.setOffline(true);
    const notice = page.getByText("You are offline.");
    await expect(notice).toBeVisible();
    await expect(loaded).toBeVisible();
    await expectAccessible(page);

    // The data of the list of flags, and the code and the data of the segments, are not loaded yet.
    await page.getByRole("link", { name: "Flags", exact: true }).click();
    await expect(alert(page)).toContainText("The server cannot be reached.");
    await page.goBack();
    await expect(loaded).toBeVisible();
    await page.getByRole("link", { name: "Segments" }).click();
    await expect(alert(page)).toContainText("The server cannot be reached.");
    await page.goBack();
    await expect(loaded).toBeVisible();
    await page.goForward();
    await expect(alert(page)).toContainText("The server cannot be reached.");

    await context.setOffline(false);
    await expect(notice).toBeHidden();
    await expect(heading(page, "Segments")).toBeVisible();
    await expect(alert(page)).toHaveCount(0);
    await page.getByRole("link", { name: "Flags", exact: true }).click();
    await expect(page.getByText("No flags yet")).toBeVisible();
    await expect(alert(page)).toHaveCount(0);
  });
});

test("a click on a link shows at once that the page loads", async ({ page, world, signInAs }) => {
  await signInAs("ADMIN");
  await page.route("**/api/v1/flags?**", () => undefined);
  await page.goto(`/projects/${world.project.id}/flags`);
  await expect(heading(page, "Flags")).toBeVisible();
  const release = await hold(page, "**/assets/PlaygroundPage-*.js");
  await page.getByRole("link", { name: "Playground" }).click();
  await expect(page.getByRole("progressbar", { name: "Loading" })).toBeVisible();
  // React keeps the hidden page of flags in the document, with its own placeholder if it still loads.
  const placeholder = page.getByRole("main").getByRole("status").filter({ hasText: "Loading" });
  await expect(placeholder).toBeVisible();
  await expect(heading(page, "Flags")).toHaveCount(0);
  release();
  await expect(heading(page, "Playground")).toBeVisible();
  await expect(page.getByRole("progressbar", { name: "Loading" })).toHaveCount(0);
});

test("a placeholder shows before the scripts have loaded, in the colours of the theme", async ({
  page,
  world,
  signInAs,
}) => {
  await signInAs("ADMIN");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.route("**/assets/*.js", () => undefined);
  await page.goto(`/projects/${world.project.id}/flags`, { waitUntil: "commit" });
  await expect(page.locator(".app-skeleton-side")).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
});

test("the dashboard shows the trace id of a 500 response, loads the page again on request, and explains the response of an overloaded server, of a proxy, and of none of the API's", async ({
  page,
  context,
  world,
  signInAs,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signInAs("VIEWER");
  const body = { error: "An unexpected error occurred", code: "INTERNAL_ERROR", traceId: "4f1c" };
  await page.route("**/api/v1/tags?**", (route) => route.fulfill({ status: 500, json: body }));
  await page.goto(`/projects/${world.project.id}/tags`);
  await expect(alert(page)).toContainText("The server could not process the request.");
  await expect(alert(page)).toContainText("4f1c");
  await expectAccessible(page);
  await alert(page).getByRole("button", { name: "Copy trace ID" }).click();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe("4f1c");

  await page.unrouteAll();
  await alert(page).getByRole("button", { name: "Try again" }).click();
  await expect(alert(page)).toHaveCount(0);

  const overloaded = { error: "Try again later", code: "SERVICE_UNAVAILABLE", traceId: "77a0" };
  const html = (status: number, text: string) => ({
    status,
    contentType: "text/html",
    body: `<h1>${text}</h1>`,
  });
  const again = () => alert(page).getByRole("button", { name: "Try again" }).click();
  let response: Parameters<Route["fulfill"]>[0] = { status: 503, json: overloaded };
  await page.route("**/api/v1/segments?**", (route) => route.fulfill(response));
  await follow(page, `/projects/${world.project.id}/segments`);
  await expect(alert(page)).toContainText("The server could not process the request.");
  response = html(200, "Welcome to the hotel");
  await again();
  await expect(alert(page)).toContainText("The response did not come from the service.");
  response = html(502, "Bad gateway");
  await again();
  await expect(alert(page)).toContainText("The server could not process the request.");
  await page.unrouteAll();
  await again();
  await expect(alert(page)).toHaveCount(0);
});

test("the dashboard says that a page or an item does not exist", async ({
  page,
  world,
  signInAs,
}) => {
  await signInAs("VIEWER");
  await page.goto("/profile");
  await expect(heading(page, "Your profile")).toBeVisible();
  for (const path of ["/projects/999999999/flags", "/projects/shop/flags", "/nowhere"]) {
    await follow(page, path);
    await expect(heading(page, "Page not found")).toBeVisible();
    await page.getByRole("main").getByRole("link", { name: "Go to projects" }).click();
    await expect(heading(page, "Projects")).toBeVisible();
  }

  for (const item of [
    "flags/none",
    "segments/none",
    "contexts/999999999",
    "integrations/999999999",
  ]) {
    await follow(page, `/projects/${world.project.id}/${item}`);
    await expect(page.getByRole("main")).toContainText(/not found/i);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/\S/);
    await follow(page, `/projects/${world.project.id}/tags`);
    await expect(heading(page, "Tags")).toBeVisible();
  }
});
