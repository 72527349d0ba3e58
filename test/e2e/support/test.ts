import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import { Api, baseUrl } from "./api.ts";
import { ADMIN, join, type Person, type Role } from "./people.ts";
import { newWorld, type World } from "./world.ts";

export { expect };
export type { Page };

interface Fixtures {
  /** The administrator over the API, for what a test needs and does not show. */
  readonly api: Api;
  readonly world: World;
  readonly signInAs: (role: Role, page?: Page) => Promise<Api>;
  /** What the page wrote to its console as an error or a warning, and what it threw. */
  readonly complaints: readonly string[];
}

interface WorkerFixtures {
  readonly people: Readonly<Record<Role, Person>>;
}

/** Chromium's own words for an answer that is none of the good ones; pages tell of those themselves. */
const FAILED_LOAD = /^Failed to load resource/;

export const test = base.extend<Fixtures, WorkerFixtures>({
  people: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads what is destructured
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
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads what is destructured
  baseURL: async ({}, use) => use(baseUrl()),
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads what is destructured
  api: async ({}, use) => use(await Api.signIn(ADMIN)),
  world: async ({ api }, use) => use(await newWorld(api)),
  signInAs: async ({ page, people }, use) => {
    await use((role, on = page) => signIn(on, people[role]));
  },
  complaints: async ({ page }, use) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (!["error", "warning"].includes(message.type()) || FAILED_LOAD.test(message.text()))
        return;
      complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    await use(complaints);
  },
});

/** Signs the page in, in a session of its own, before it opens anything. */
export async function signIn(page: Page, person: Person): Promise<Api> {
  const signedIn = await Api.signIn(person);
  await page.addInitScript(storeSession, JSON.stringify(storedSession(signedIn)));
  return signedIn;
}

/** As the dashboard keeps it. */
const storedSession = ({ session }: Api) => ({
  accessToken: session.token,
  refreshToken: session.refreshToken,
  user: session.user,
});

/** Once: what the page makes of its session afterwards is its own. */
function storeSession(session: string): void {
  if (sessionStorage.getItem("signed-in") !== null) return;
  sessionStorage.setItem("signed-in", "");
  localStorage.setItem("feature-flags.session", session);
}

/** What has begun to change has its place and its colour by then. */
const framesLater = `new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve), 50))`;

/** Nothing on the page that WCAG 2.2 AA and axe object to. */
export async function expectAccessible(page: Page): Promise<void> {
  // Every page has one; before it there is only the frame, or nothing.
  await page.locator("h1").first().waitFor({ state: "attached" });
  // Colours that are still fading are not those that stay.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(framesLater);
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    nodes: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
  }));
  expect(found).toEqual([]);
}
