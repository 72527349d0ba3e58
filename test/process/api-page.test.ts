import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findOrInstallBrowser } from "../../scripts/lib/browser.ts";
import { BROWSER_ARGS } from "../../scripts/lib/browser-args.ts";
import { ADMINISTRATOR, freePort, Service } from "./support/service.ts";

/** The timeout of an action in the browser. It only ends a test that hangs. */
const ACTION_MS = 60_000;

const persistTo = mkdtempSync(path.join(tmpdir(), "feature-flags-"));
let service: Service | undefined;
let address: string;
let browser: Browser | undefined;
let page: Page;
/** The origins of the page's requests. `complaints` has the errors in the page's console. */
const origins = new Set<string>();
const complaints: string[] = [];

beforeAll(async () => {
  const executablePath = findOrInstallBrowser();
  const port = await freePort();
  address = `http://localhost:${port}`;
  service = await new Service(`--port=${port}`, "--persist-to", persistTo).started();
  browser = await chromium.launch({ executablePath, args: BROWSER_ARGS });
  page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
  page.setDefaultTimeout(ACTION_MS);
  page.on("request", (request) => {
    if (!request.url().startsWith("data:")) origins.add(new URL(request.url()).origin);
  });
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
});

afterAll(async () => {
  await browser?.close();
  service?.kill();
  rmSync(persistTo, { recursive: true, force: true });
});

const section = (name: string) => page.locator(`.opblock-tag[data-tag="${name}"]`);
const operation = (tag: string, id: string) => page.locator(`#operations-${tag}-${id}`);

/** Expands an operation on the API page and enables its form. */
async function open(block: Locator): Promise<void> {
  await block.locator(".opblock-summary-control").click();
  await block.getByRole("button", { name: "Try it out" }).click();
}

const execute = (block: Locator) => block.getByRole("button", { name: "Execute" }).click();

/** The HTTP status that the API page displays for the last call of an operation. */
const statusOf = async (block: Locator) =>
  (await block.locator(".live-responses-table .response-col_status").last().innerText()).trim();

const answerOf = (block: Locator) =>
  block.locator(".live-responses-table .response-col_description pre").first().innerText();

describe("the interactive API reference", () => {
  it("displays all sections collapsed", async () => {
    const answer = await page.goto(`${address}/swagger-ui.html`);
    expect([answer?.status(), page.url()]).toEqual([200, `${address}/swagger-ui.html`]);
    await section("Projects").waitFor();
    expect(await page.locator(".opblock-tag").count()).toBeGreaterThan(10);
    expect(await page.locator(".opblock").count()).toBe(0);
  });

  it("displays 401 for a call without a token", async () => {
    await section("Projects").click();
    const projects = operation("Projects", "listProjects");
    await open(projects);
    await execute(projects);
    await expect.poll(() => statusOf(projects)).toBe("401");
  });

  it("displays 200 for a sign-in and for a call with the token of that sign-in", async () => {
    await section("Authentication").click();
    const login = operation("Authentication", "login");
    await open(login);
    await login.locator("textarea.body-param__text").fill(JSON.stringify(ADMINISTRATOR));
    await execute(login);
    await expect.poll(() => statusOf(login)).toBe("200");
    const { token } = JSON.parse(await answerOf(login)) as { token: string };

    await page.getByRole("button", { name: "Authorize" }).first().click();
    // The dialog also has a form for the token of the operational endpoints (/actuator).
    const form = page.locator(".modal-ux form").filter({ hasText: "bearer (http" });
    await form.locator("input").fill(token);
    await form.getByRole("button", { name: "Apply credentials" }).click();
    await form.getByRole("button", { name: "Close" }).click();

    const projects = operation("Projects", "listProjects");
    await execute(projects);
    await expect.poll(() => statusOf(projects)).toBe("200");
    expect(JSON.parse(await answerOf(projects))).toHaveLength(1);
  });

  it("drops the token when the page reloads", async () => {
    await page.reload();
    await section("Projects").waitFor();
    expect(await page.locator(".auth-wrapper .authorize.locked").count()).toBe(0);
  });

  it("sends requests only to the service and logs no error", () => {
    expect([...origins]).toEqual([address]);
    expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
  });
});

describe("the dashboard", () => {
  const field = (name: string) => page.locator(`input[name="${name}"]`);

  it("displays the sign-in page under a content security policy that allows no other origin", async () => {
    complaints.length = 0;
    const answer = await page.goto(`${address}/`);
    const headers = (await answer?.allHeaders()) ?? {};
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self'; /);
    expect(headers["content-security-policy"]).not.toContain("unsafe");
    expect(headers["x-frame-options"]).toBe("DENY");
    await field("email").waitFor();
    // A background colour proves that the policy allowed the style sheet.
    const button = page.getByRole("button", { name: "Sign in" });
    const colour = await button.evaluate("(node) => getComputedStyle(node).backgroundColor");
    expect(colour).not.toBe("rgba(0, 0, 0, 0)");
  });

  it("displays the account of a user who signs in", async () => {
    await field("email").fill(ADMINISTRATOR.email);
    await field("password").fill(ADMINISTRATOR.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    const account = page.getByRole("button", { name: /^Your account/ });
    await expect.poll(() => account.count()).toBe(1);
  });

  it("returns the security headers for a file, a script and an unknown path, and does not serve the file _headers", async () => {
    const script = await page.locator("script[src]").first().getAttribute("src");
    for (const file of ["/favicon.svg", "/flags/12", script ?? ""]) {
      const { status, headers } = await fetch(address + file);
      expect([file, status, headers.get("X-Content-Type-Options")]).toEqual([file, 200, "nosniff"]);
      expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    }
    expect((await fetch(`${address}/_headers`)).headers.get("Content-Type")).toContain("text/html");
  });

  it("sends requests only to the service and logs no error", () => {
    expect([...origins]).toEqual([address]);
    expect(complaints).toEqual([]);
  });

  it("does not run an injected inline script, and logs a violation of the policy", async () => {
    await page.evaluate(`{
      const script = document.createElement("script");
      script.textContent = "window.smuggled = true";
      document.head.append(script);
    }`);
    expect(await page.evaluate("window.smuggled")).toBeUndefined();
    await expect.poll(() => complaints.join()).toContain("Content Security Policy");
  });
});
