import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AxeResults, RunOptions } from "axe-core";
import {
  test as base,
  type BrowserContext,
  type Disposable,
  expect,
  type Page,
} from "@playwright/test";
import { Api, baseUrl } from "./api.ts";
import { ADMIN, join, type Person, type Role } from "./people.ts";
import { newWorld, type World } from "./world.ts";

export { expect };
export type { Page };

interface Fixtures {
  /** A client of the management API as an administrator, for test data. */
  readonly api: Api;
  readonly world: World;
  /**
   * Signs the page in with the session that all tests of the worker share for this role. A test that
   * ends or renews its session needs one of its own, from `signIn`.
   */
  readonly signInAs: (role: Role, page?: Page) => Promise<Api>;
  /** Signs the page in as `signInAs` does, and opens a path. */
  readonly openAs: (role: Role, path: string) => Promise<Api>;
  /** Whether the console of the page may have errors. Otherwise an error there fails the test. */
  readonly mayLogErrors: boolean;
  /**
   * Whether the test has a browser context of its own. A test with a fake clock needs one, because
   * the clock of a context cannot be made real again.
   */
  readonly hasOwnContext: boolean;
}

interface WorkerFixtures {
  readonly people: Readonly<Record<Role, Person>>;
  /** The browser context of the worker's tests: with its warm cache, pages load faster. */
  readonly sharedContext: BrowserContext;
  /**
   * The page of the worker's tests. A new page would start a new process of the browser, in which a
   * page takes twice as long to load.
   */
  readonly sharedPage: Page;
  /** Returns a client of the management API with the worker's session of this role. */
  readonly sessionOf: (role: Role) => Promise<Api>;
}

/** After how long a worker signs in again, milliseconds. An access token lasts 15 minutes. */
const SESSION_MS = 8 * 60_000;

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
  sessionOf: [
    async ({ people }, use) => {
      const sessions = new Map<Role, { readonly api: Promise<Api>; readonly since: number }>();
      await use((role) => {
        let session = sessions.get(role);
        if (!session || session.since < Date.now() - SESSION_MS) {
          session = { api: Api.signIn(people[role]), since: Date.now() };
          sessions.set(role, session);
        }
        return session.api;
      });
    },
    { scope: "worker" },
  ],
  sharedContext: [
    async ({ browser }, use) => {
      const context = await browser.newContext(contextOptions());
      await use(context);
      await context.close();
    },
    { scope: "worker" },
  ],
  sharedPage: [
    async ({ sharedContext }, use) => use(await sharedContext.newPage()),
    { scope: "worker" },
  ],
  hasOwnContext: [false, { option: true }],
  context: async ({ browser, sharedContext, sharedPage, hasOwnContext }, use) => {
    const context = hasOwnContext ? await browser.newContext(contextOptions()) : sharedContext;
    await use(context);
    if (hasOwnContext) await context.close();
    else await clear(context, sharedPage);
  },
  api: async ({ sessionOf }, use) => use(await sessionOf("ADMIN")),
  world: async ({ api }, use) => use(await newWorld(api)),
  signInAs: async ({ page, sessionOf }, use) => {
    await use(async (role, on = page) => {
      const session = await sessionOf(role);
      await storeSession(on, session);
      return session;
    });
  },
  openAs: async ({ page, signInAs }, use) => {
    await use(async (role, path) => {
      const session = await signInAs(role);
      await page.goto(path);
      return session;
    });
  },
  mayLogErrors: [false, { option: true }],
  page: async ({ context, sharedPage, hasOwnContext, mayLogErrors }, use) => {
    const page = hasOwnContext ? await context.newPage() : sharedPage;
    const errors = collectErrors(page);
    await use(page);
    const logged = [...errors];
    if (!hasOwnContext) await leave(page);
    if (!mayLogErrors) expect(logged).toEqual([]);
  },
});

const VIEWPORT = { width: 1440, height: 900 };

/** The options of a browser context in which a page shows the dashboard. */
export const contextOptions = () =>
  ({
    baseURL: baseUrl(),
    viewport: VIEWPORT,
    locale: "en-GB",
    // No test waits for an animation, and axe measures the contrast of the final colours.
    reducedMotion: "reduce",
  }) as const;

/** Closes the other pages of a context, and undoes what a test can change of its settings. */
async function clear(context: BrowserContext, kept: Page): Promise<void> {
  await context.setOffline(false);
  await context.clearPermissions();
  for (const page of context.pages()) if (page !== kept) await page.close();
}

/**
 * Ends what a test does on the page: removes its scripts, routes, listeners and settings, leaves the
 * dashboard, and deletes all that the dashboard has stored, except the files in the cache.
 */
async function leave(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: "ignoreErrors" });
  page.removeAllListeners();
  for (const script of scripts.get(page) ?? []) await script.dispose();
  scripts.delete(page);
  await page.context().setOffline(false);
  // A file of the same origin keeps the process, and does not run the dashboard.
  await page.goto("/favicon.svg");
  await page.evaluate("sessionStorage.clear()");
  const client = await page.context().newCDPSession(page);
  const types = { storageTypes: "cookies,local_storage,indexeddb" };
  await client.send("Storage.clearDataForOrigin", { origin: baseUrl(), ...types });
  await client.detach();
  await page.setViewportSize(VIEWPORT);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}

/** The scripts that a page runs at each load, until the end of the test. */
const scripts = new Map<Page, Disposable[]>();

/** Runs a script with an optional argument at each load of the page, until the end of the test. */
export async function runAtLoad(
  page: Page,
  script: string | ((arg: string) => void),
  arg = "",
): Promise<void> {
  const added = await (typeof script === "string"
    ? page.addInitScript(script)
    : page.addInitScript(script, arg));
  scripts.set(page, [...(scripts.get(page) ?? []), added]);
}

/**
 * Returns a list to which the uncaught exceptions of the page and the errors and warnings in its
 * console are added, except messages about failed loads.
 */
export function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("console", (message) => {
    const isWrong = ["error", "warning"].includes(message.type());
    if (isWrong && !FAILED_LOAD.test(message.text())) errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  return errors;
}

/** Signs a user in through the API, with a session of the page's own. */
export async function signIn(page: Page, person: Person): Promise<Api> {
  const signedIn = await Api.signIn(person);
  await storeSession(page, signedIn);
  return signedIn;
}

/** Stores a session in the page at its next load, in the format of the dashboard's localStorage. */
export function storeSession(page: Page, { session }: Api): Promise<void> {
  const { token: accessToken, refreshToken, user } = session;
  return runAtLoad(page, STORE, JSON.stringify({ accessToken, refreshToken, user }));
}

/**
 * Runs in the page at each load. Stores the session only at the first load, because the dashboard
 * changes the session later.
 */
const STORE = (session: string): void => {
  if (sessionStorage.getItem("signed-in") !== null) return;
  sessionStorage.setItem("signed-in", "");
  localStorage.setItem("feature-flags.session", session);
};

/** A script that waits 50 ms and then for the next frame, so that the page shows all changes. */
export const NEXT_FRAME = `new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve), 50))`;

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

const AXE_OPTIONS: RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  // Without the nodes of the rules that hold, an analysis takes half the time.
  resultTypes: ["violations"],
};

/** Expects that axe finds no violation of WCAG 2.2 AA or of axe's best practices. */
export async function expectAccessible(page: Page): Promise<void> {
  // Every page has an h1. Before the h1 renders, the page shows only the layout.
  await page.locator("h1").first().waitFor({ state: "attached" });
  await page.evaluate(NEXT_FRAME);
  // Loads axe for each analysis, so that it keeps no state of an earlier one.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(document, ${JSON.stringify(AXE_OPTIONS)})`,
  );
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
 * the page fetch its data again. A route would also turn off the cache of the browser.
 */
export const holdStream = (page: Page): Promise<void> =>
  runAtLoad(
    page,
    `{
    const real = globalThis.fetch;
    globalThis.fetch = (input, init) =>
      String(input.url ?? input).endsWith("/stream") ? new Promise(() => {}) : real(input, init);
  }`,
  );
