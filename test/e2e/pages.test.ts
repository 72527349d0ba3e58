import { Api } from "./support/api.ts";
import { messages as germanMessages } from "../../dashboard/src/shared/i18n/de/index.ts";
import { messages } from "../../dashboard/src/shared/i18n/en/index.ts";
import {
  addressOf,
  type DemoIds,
  demoIds,
  expectLoaded,
  open,
  routedPaths,
} from "./support/pages.ts";
import { join } from "./support/people.ts";
import { recordRequests } from "./support/requests.ts";
import { smallTargets } from "./support/targets.ts";
import {
  collectErrors,
  contextOptions,
  expect,
  expectAccessible,
  holdStream,
  NEXT_FRAME,
  type Page,
  runAtLoad,
  signIn,
  storeSession,
  test as base,
} from "./support/test.ts";

type Name = string | RegExp;

/** The dialogs and menus, which lie above a page and close with Escape. */
const LAYERS = "[role=dialog], [role=alertdialog], [role=menu]";

/**
 * The tests of a worker process share one page for each language, because a page with a warm cache
 * loads faster.
 */
interface Shared {
  readonly english: Page;
  readonly german: Page;
  /** The errors and warnings in the consoles of the pages since the test began. */
  readonly errors: readonly string[][];
}

const test = base.extend<object, { readonly ids: DemoIds; readonly shared: Shared }>({
  ids: [
    async ({ sessionOf }, use) =>
      use(await demoIds(await sessionOf("ADMIN"), await sessionOf("DEVELOPER"))),
    { scope: "worker" },
  ],
  shared: [
    async ({ browser, sessionOf }, use) => {
      const [english, german] = [
        await browser.newPage({ ...contextOptions(), colorScheme: "dark" }),
        await browser.newPage(contextOptions()),
      ];
      for (const page of [english, german]) await page.addInitScript(ADD_UP_SHIFTS);
      const admin = await sessionOf("ADMIN");
      // Otherwise a page fetches its data again when a test of another worker changes the project.
      await holdStream(german);
      await german.addInitScript(SLOW_CLOCK);
      await storeSession(english, admin);
      const person = await join(admin, "ADMIN");
      await (await Api.signIn(person)).put("/api/v1/auth/me", { locale: "de" });
      await signIn(german, person);
      await use({ english, german, errors: [english, german].map(collectErrors) });
      await english.close();
      await german.close();
    },
    { scope: "worker" },
  ],
});

/** The size of the window at the start of a test. */
const DESKTOP = { width: 1440, height: 900 };
const TABLET = { width: 1024, height: 768 };
const PHONE = { width: 390, height: 844 };

const ACTIONS = /^Actions for /;

/**
 * The buttons of a page that open a dialog or a menu on a phone. Of several buttons with the same
 * name, only the first is tested. Of the buttons in a list or a menu, only one is tested.
 */
const DIALOGS: Readonly<Record<string, readonly (Name | readonly Name[])[]>> = {
  "/projects": [
    "New project",
    "Go to …",
    ["Open menu", /^Project/],
    ["Open menu", /^Your account/],
  ],
  "/projects/$projectId/flags": ["New flag", "Saved filters", ACTIONS],
  "/projects/$projectId/flags/$flagId": [
    "Edit",
    ACTIONS,
    [ACTIONS, "Use in code"],
    [ACTIONS, "Copy to …"],
    [ACTIONS, "Clone …"],
    [ACTIONS, "Archive"],
    "Start ramp",
  ],
  "/projects/$projectId/playground": ["Saved"],
  "/projects/$projectId/change-requests/$requestId": ["Reject", "Apply", "More actions"],
  "/projects/$projectId/segments": ["New segment"],
  "/projects/$projectId/segments/$segmentId": ["Delete segment"],
  "/projects/$projectId/contexts": ["New context"],
  "/projects/$projectId/contexts/$contextId": [
    "Edit context",
    "Delete context",
    "Add several",
    "Add value",
  ],
  "/projects/$projectId/tags": ["New tag", /^Edit /, /^Delete /],
  "/projects/$projectId/environments": ["New environment", /^Protection of /, /^Edit /, /^Delete /],
  "/projects/$projectId/api-keys": ["New API key", /^Edit /, /^Revoke /],
  "/projects/$projectId/integrations": ["New integration"],
  "/projects/$projectId/integrations/$integrationId": ["Edit", "More actions"],
  "/projects/$projectId/settings": ["Add member"],
  "/projects/$projectId/audit": [/^Revert: /],
  "/users": ["Invite user", ACTIONS, [ACTIONS, "Tokens and agents"]],
  "/service-accounts": ["New service account", /^Edit /, /^Delete /],
  "/service-accounts/$serviceAccountId": ["New token", /^Revoke /],
  "/profile/security": [
    "Sign out all other sessions",
    "Set up two-factor authentication",
    "Add a passkey",
  ],
  "/profile/tokens": ["New token", /^Revoke /],
  "/settings": ["Register an agent"],
  "/settings/sign-on": ["Add provider", /^Edit /, /^Delete /],
};

/** The buttons of a page that add a part to the page. */
const PARTS: Readonly<Record<string, readonly Name[]>> = {
  "/projects/$projectId/flags": ["Filter"],
  "/projects/$projectId/flags/$flagId": [
    "Advanced",
    "Add constraint",
    "Add rule",
    "Edit prerequisites",
  ],
  "/projects/$projectId/playground": ["Add field", /^On One-page checkout/],
  "/projects/$projectId/segments/$segmentId": ["Add constraint"],
  "/projects/$projectId/insights": ["As a table"],
  "/projects/$projectId/audit": [/^Details: /],
};

/** The most API requests that a page sends when it is loaded. */
const MOST_REQUESTS = 12;

/** The identity providers for which the pages before sign-in show a button. */
const PROVIDERS = [
  { slug: "okta", name: "Okta", type: "oidc" },
  { slug: "github", name: "GitHub", type: "github" },
];

/** An address without a page. */
const NOWHERE = "/nowhere";

for (const path of [...routedPaths(), NOWHERE])
  test(`${path} stays in place while it loads with at most 12 requests, is accessible in both themes, in German without English, does not scroll sideways, and fits fingers on a phone`, async ({
    shared: { english: page, german, errors },
    ids,
  }) => {
    for (const list of errors) list.length = 0;
    // Leaves the page of the previous test, which fetches data again when its window grows.
    await german.goto("/favicon.svg");
    const requests = recordRequests(german);
    await openAt(german, DESKTOP, addressOf(path, ids));
    await expect(german).toHaveTitle(/. · Feature Flags$/);
    await expect(german.getByRole("alert")).toHaveCount(0);
    await expectAccessible(german);
    await requests.untilQuiet();
    requests.stop();
    expect.soft(requests.paths().length, requests.paths().join()).toBeGreaterThan(0);
    expect
      .soft(requests.paths().length, requests.paths().join())
      .toBeLessThanOrEqual(MOST_REQUESTS);
    await expectGerman(german);
    await openAt(page, PHONE, addressOf(path, ids));
    expect(await visibleTexts(page)).not.toContain("{{");
    expect(await smallTargets(page)).toEqual([]);
    await expectAccessible(page);
    for (const buttons of DIALOGS[path] ?? []) await expectDialogForFingers(page, [buttons].flat());
    for (const name of PARTS[path] ?? []) await page.getByRole("button", { name }).first().click();
    if (PARTS[path]) await expectForFingers(page, "the parts");
    expect(errors.flat()).toEqual([]);
  });

for (const [path, scheme] of [
  ["/", "light"],
  ["/sign-in?problem=domain", "dark"],
  ["/accept-invite#token=none", "dark"],
  ["/reset-password#token=none", "light"],
] as const)
  test(`${path} of a user who is not signed in stays in place while it loads, is accessible, and does not scroll sideways`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.route("**/api/v1/auth/sign-on", (route) => route.fulfill({ json: PROVIDERS }));
    await runAtLoad(page, ADD_UP_SHIFTS);
    for (const size of [DESKTOP, PHONE]) {
      // A new fragment alone would not load the page again.
      await page.goto("/favicon.svg");
      await openAt(page, size, path);
    }
    expect(await smallTargets(page)).toEqual([]);
    await expectAccessible(page);
    const other = scheme === "light" ? "dark" : "light";
    await page.emulateMedia({ colorScheme: other });
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", other);
    await expectAccessible(page);
  });

/** Opens a page in a window of this size, and expects that nothing moves or is too wide. */
async function openAt(
  page: Page,
  size: { readonly width: number; readonly height: number },
  address: string,
): Promise<void> {
  await page.setViewportSize(size);
  await open(page, address);
  await page.evaluate(NEXT_FRAME);
  const shift = await page.evaluate<number>("layoutShift");
  expect.soft(shift, `the layout shift at a width of ${size.width} px`).toBeLessThan(0.02);
  await expectNoHorizontalScroll(page);
}

/**
 * A script that adds up the cumulative layout shift (CLS) of the page in `layoutShift`: the share of
 * the window that moves, times how far it moves.
 */
const ADD_UP_SHIFTS = `
  globalThis.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries())
      if (!hadRecentInput) globalThis.layoutShift += value;
  }).observe({ type: "layout-shift", buffered: true });
`;

/**
 * A script that slows the clock of the page down. Otherwise data becomes stale while a busy machine
 * loads the page, and the page fetches the data twice.
 */
const SLOW_CLOCK = `{
  const now = Date.now;
  const start = now();
  Date.now = () => Math.round(start + (now() - start) / 20);
}`;

/** Expects that the page of a user with the language German is all German and fits small screens. */
async function expectGerman(page: Page): Promise<void> {
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  const words = await visibleTexts(page);
  expect.soft(GERMAN_KEYS.filter((key) => words.includes(key))).toEqual([]);
  expect.soft(ENGLISH_ONLY.filter(([, text]) => words.includes(text))).toEqual([]);
  expect.soft(words).not.toContain("{{");
  for (const size of [TABLET, PHONE]) {
    await page.setViewportSize(size);
    await expectNoHorizontalScroll(page);
  }
}

/** Clicks the buttons one after the other, and expects that what they open fits fingers. */
async function expectDialogForFingers(page: Page, buttons: readonly Name[]): Promise<void> {
  const opened = page.locator(LAYERS).filter({ visible: true });
  for (const name of buttons) {
    const item = page.getByRole("menuitem", { name });
    await page.getByRole("button", { name }).or(item).first().click();
  }
  await expect(opened).toHaveCount(1);
  await expectForFingers(page, String(buttons));
  for (const _ of buttons) await page.keyboard.press("Escape");
  await expect(opened).toHaveCount(0);
}

async function expectForFingers(page: Page, what: string): Promise<void> {
  await page.evaluate(NEXT_FRAME);
  await expectLoaded(page);
  expect.soft(await smallTargets(page), what).toEqual([]);
}

async function expectNoHorizontalScroll(page: Page): Promise<void> {
  const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
  await expect
    .poll(() => page.evaluate(overflow), "the page scrolls sideways")
    .toBeLessThanOrEqual(0);
}

/** Returns the page's title, its visible text and the text of attributes such as `aria-label`. */
const visibleTexts = (page: Page): Promise<string> =>
  page.evaluate<string>(`[
    document.title,
    document.body.innerText,
    ...["aria-label", "title", "placeholder", "alt"].flatMap((name) =>
      [...document.querySelectorAll("[" + name + "]")].map((node) => node.getAttribute(name)),
    ),
  ].join("\\n")`);

/** Returns the keys and texts of a translation. A key is a path such as `flags.newFlag`. */
function textsOf(catalogue: object, prefix = ""): (readonly [string, string])[] {
  return Object.entries(catalogue).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === "object" && value !== null) return textsOf(value, `${prefix}${name}.`);
    return [[`${prefix}${name}`, String(value)] as const];
  });
}

/** Whether an English text is a phrase that differs from the German text with the same key. */
const isEnglishOnly = (text: string, german: string | undefined): boolean =>
  text !== german && text.length > 12 && text.includes(" ") && !text.includes("{{");

const GERMAN = new Map(textsOf(germanMessages));
const GERMAN_KEYS = [...GERMAN.keys()];
const ENGLISH_ONLY = textsOf(messages).filter(([key, text]) =>
  isEnglishOnly(text, GERMAN.get(key)),
);
