import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import { Api, baseUrl } from "./api.ts";
import { ADMIN, join, type Person, type Role } from "./people.ts";
import { newWorld, type World } from "./world.ts";

export { expect };
export type { Page };

interface Fixtures {
  /** A client of the management API as an administrator, for test data. */
  readonly api: Api;
  readonly world: World;
  readonly signInAs: (role: Role, page?: Page) => Promise<Api>;
  /**
   * The uncaught exceptions of the page, and the errors and warnings in its console, except
   * messages about failed loads.
   */
  readonly consoleErrors: readonly string[];
}

interface WorkerFixtures {
  readonly people: Readonly<Record<Role, Person>>;
}

/** Chromium's log message for an error response. The pages display such errors themselves. */
const FAILED_LOAD = /^Failed to load resource/;

export const test = base.extend<Fixtures, WorkerFixtures>({
  people: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright requires a destructured parameter
    async ({}, use) => {
      const api = await Api.signIn(ADMIN);
      await use({
        ADMIN,
        DEVELOPER: await join(api, "DEVELOPER"),
        VIEWER: await join(api, "VIEWER"),
      });
    },
    { scope: "worker" },
  ],
  // oxlint-disable-next-line no-empty-pattern -- Playwright requires a destructured parameter
  baseURL: async ({}, use) => use(baseUrl()),
  // oxlint-disable-next-line no-empty-pattern -- Playwright requires a destructured parameter
  api: async ({}, use) => use(await Api.signIn(ADMIN)),
  world: async ({ api }, use) => use(await newWorld(api)),
  signInAs: async ({ page, people }, use) => {
    await use((role, on = page) => signIn(on, people[role]));
  },
  consoleErrors: async ({ page }, use) => {
    const consoleErrors: string[] = [];
    page.on("console", (message) => {
      if (!["error", "warning"].includes(message.type()) || FAILED_LOAD.test(message.text()))
        return;
      consoleErrors.push(message.text());
    });
    page.on("pageerror", (error) => consoleErrors.push(String(error)));
    await use(consoleErrors);
  },
});

/** Signs a user in through the API, and stores the session in the page at its next load. */
export async function signIn(page: Page, person: Person): Promise<Api> {
  const signedIn = await Api.signIn(person);
  await page.addInitScript(storeSession, JSON.stringify(storedSession(signedIn)));
  return signedIn;
}

/** Returns the session in the format of the dashboard's localStorage. */
const storedSession = ({ session }: Api) => ({
  accessToken: session.token,
  refreshToken: session.refreshToken,
  user: session.user,
});

/**
 * Runs in the page at each load. Stores the session only at the first load, because the dashboard
 * changes the session later.
 */
function storeSession(session: string): void {
  if (sessionStorage.getItem("signed-in") !== null) return;
  sessionStorage.setItem("signed-in", "");
  localStorage.setItem("feature-flags.session", session);
}

/** A script that waits 50 ms and then for the next frame, so that the page shows all changes. */
export const NEXT_FRAME = `new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve), 50))`;

const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The rules of axe whose result depends on the theme. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Expects that axe finds no violation of WCAG 2.2 AA or of axe's best practices. */
export const expectAccessible = (page: Page): Promise<void> =>
  expectNoViolation(page, (axe) => axe.withTags(STANDARDS));

/** Like `expectAccessible`, but only for the rules about colours, after a change of the theme. */
export const expectAccessibleColours = (page: Page): Promise<void> =>
  expectNoViolation(page, (axe) => axe.withRules(COLOUR_RULES));

async function expectNoViolation(
  page: Page,
  choose: (axe: AxeBuilder) => AxeBuilder,
): Promise<void> {
  // Every page has an h1. Before the h1 renders, the page shows only the layout.
  await page.locator("h1").first().waitFor({ state: "attached" });
  // Turns off animations, so that axe measures the contrast of the final colours.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(NEXT_FRAME);
  // Otherwise axe opens a second page for each analysis, to add up the results of iframes. The
  // dashboard has none.
  const { violations } = await choose(new AxeBuilder({ page }).setLegacyMode()).analyze();
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    nodes: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
  }));
  expect(found).toEqual([]);
}

/** Holds the responses to requests for `url` back, until the returned function is called. */
export async function hold(page: Page, url: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/**
 * Leaves the page's event stream without an answer. Otherwise a project that has just changed makes
 * the page fetch its data again.
 */
export const holdStream = (page: Page): Promise<unknown> =>
  page.route("**/api/v1/projects/*/stream", () => undefined);
