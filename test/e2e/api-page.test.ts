import type { Locator } from "@playwright/test";
import { baseUrl } from "./support/api.ts";
import { collectErrors, expect, type Page, test } from "./support/test.ts";

/** Returns the origins to which the page sends requests from now on. */
function originsOf(page: Page): ReadonlySet<string> {
  const origins = new Set<string>();
  page.on("request", (request) => {
    if (!request.url().startsWith("data:")) origins.add(new URL(request.url()).origin);
  });
  return origins;
}

test.describe("the interactive API reference", () => {
  const section = (page: Page, name: string) => page.locator(`.opblock-tag[data-tag="${name}"]`);
  const operation = (page: Page, tag: string, id: string) =>
    page.locator(`#operations-${tag}-${id}`);

  /** Expands an operation and enables its form. */
  async function open(block: Locator): Promise<void> {
    await block.locator(".opblock-summary-control").click();
    await block.getByRole("button", { name: "Try it out" }).click();
  }

  /** Calls the operation, and waits until the page shows the HTTP status of the response. */
  async function execute(block: Locator, status: string): Promise<void> {
    await block.getByRole("button", { name: "Execute" }).click();
    const shown = block.locator(".live-responses-table .response-col_status").last();
    await expect(shown).toHaveText(new RegExp(`^\\s*${status}`));
  }

  const answerOf = (block: Locator) =>
    block.locator(".live-responses-table .response-col_description pre").first().innerText();

  test("calls operations with a token that it does not store, and asks nobody else", async ({
    page,
    api,
  }) => {
    const origins = originsOf(page);
    await page.goto("/swagger-ui.html");
    await section(page, "Projects").waitFor();
    expect(await page.locator(".opblock-tag").count()).toBeGreaterThan(10);
    await expect(page.locator(".opblock")).toHaveCount(0);

    await section(page, "Projects").click();
    const projects = operation(page, "Projects", "listProjects");
    await open(projects);
    await execute(projects, "401");

    await page.getByRole("button", { name: "Authorize" }).first().click();
    // The dialog also has a form for the token of the operational endpoints (/actuator).
    const form = page.locator(".modal-ux form").filter({ hasText: "bearer (http" });
    await form.locator("input").fill(api.session.token);
    await form.getByRole("button", { name: "Apply credentials" }).click();
    await form.getByRole("button", { name: "Close" }).click();
    await execute(projects, "200");
    expect(await answerOf(projects)).toContain("Alpenglow Outfitters");

    const stored = [
      JSON.stringify(await page.context().storageState({ indexedDB: true })),
      await page.evaluate<string>("JSON.stringify(sessionStorage)"),
    ];
    expect(stored.join()).not.toContain(api.session.token);
    expect([...origins]).toEqual([baseUrl()]);
  });
});

test.describe("the content security policy of the dashboard", () => {
  test.use({ mayLogErrors: true });

  test("allows no other origin, is a header of every file and page, and stops an injected script", async ({
    page,
  }) => {
    const errors = collectErrors(page);
    const origins = originsOf(page);
    const answer = await page.goto("/");
    const headers = (await answer?.allHeaders()) ?? {};
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self'; /);
    expect(headers["content-security-policy"]).not.toContain("unsafe");
    expect(headers["x-frame-options"]).toBe("DENY");
    // A background colour proves that the policy allowed the style sheet.
    const button = page.getByRole("button", { name: "Sign in", exact: true });
    const colour = await button.evaluate("(node) => getComputedStyle(node).backgroundColor");
    expect(colour).not.toBe("rgba(0, 0, 0, 0)");

    const script = await page.locator("script[src]").first().getAttribute("src");
    for (const file of ["/favicon.svg", "/flags/12", script ?? ""]) {
      const response = await fetch(baseUrl() + file);
      const sniffing = response.headers.get("X-Content-Type-Options");
      expect([file, response.status, sniffing]).toEqual([file, 200, "nosniff"]);
      expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    }
    const hidden = await fetch(`${baseUrl()}/_headers`);
    expect(hidden.headers.get("Content-Type")).toContain("text/html");
    expect([...origins]).toEqual([baseUrl()]);
    expect(errors).toEqual([]);

    await page.evaluate(`{
      const script = document.createElement("script");
      script.textContent = "window.smuggled = true";
      document.head.append(script);
    }`);
    expect(await page.evaluate("window.smuggled")).toBeUndefined();
    await expect.poll(() => errors.join()).toContain("Content Security Policy");
  });
});
