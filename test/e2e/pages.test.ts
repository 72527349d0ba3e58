import { messages as germanMessages } from "../../dashboard/src/shared/i18n/de/index.ts";
import { messages } from "../../dashboard/src/shared/i18n/en/index.ts";
import { Api } from "./support/api.ts";
import {
  addressOf,
  type DemoIds,
  demoIds,
  expectLoaded,
  open,
  routedPaths,
} from "./support/pages.ts";
import { smallTargets } from "./support/targets.ts";
import { ADMIN, join } from "./support/people.ts";
import {
  expect,
  expectAccessible,
  expectAccessibleColours,
  NEXT_FRAME,
  type Page,
  signIn,
  test,
} from "./support/test.ts";

type Name = string | RegExp;

/** What lies above a page, and closes with Escape. */
const LAYERS = "[role=dialog], [role=alertdialog], [role=menu]";

let ids: DemoIds;
test.beforeAll(async () => {
  ids = await demoIds(await Api.signIn(ADMIN));
});

const ACTIONS = /^Actions for /;

/**
 * The buttons of a page that open a dialog or a menu on a phone. Of several buttons with the same
 * name, the first one counts. A list of buttons and items of menus leads to one dialog or menu.
 */
const DIALOGS: Readonly<Record<string, readonly (Name | readonly Name[])[]>> = {
  "/projects": [
    "New project",
    "Go to …",
    ["Open menu", /^Project/],
    ["Open menu", /^Your account/],
  ],
  "/projects/$projectId/flags": ["New flag"],
  "/projects/$projectId/flags/$flagId": [
    "Edit",
    ACTIONS,
    [ACTIONS, "Clone …"],
    [ACTIONS, "Archive"],
    "Copy to …",
  ],
  "/projects/$projectId/playground": ["Saved"],
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
  "/projects/$projectId/environments": ["New environment", /^Edit /, /^Delete /],
  "/projects/$projectId/api-keys": ["New API key", /^Rename /, /^Revoke /],
  "/projects/$projectId/integrations": ["New integration"],
  "/projects/$projectId/integrations/$integrationId": ["Edit", "More actions"],
  "/projects/$projectId/audit": [/^Revert: /],
  "/users": ["Invite user", /^Actions for /],
  "/profile": ["Sign out all other sessions", "Set up two-factor authentication"],
};

/** The buttons of a page that add a part to the page. */
const PARTS: Readonly<Record<string, readonly Name[]>> = {
  "/projects/$projectId/flags": ["Filters"],
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

for (const path of routedPaths())
  test(`${path} is accessible in both themes, does not scroll sideways, and fits fingers on a phone`, async ({
    page,
    signInAs,
    consoleErrors,
  }) => {
    await signInAs("ADMIN");
    await page.emulateMedia({ colorScheme: "light" });
    await open(page, addressOf(path, ids));
    await expect(page).toHaveTitle(/. · Feature Flags$/);
    await expect(page.getByRole("alert")).toHaveCount(0);
    expect(await visibleTexts(page)).not.toContain("{{");
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await expectAccessibleColours(page);
    await page.setViewportSize({ width: 1024, height: 768 });
    await expectNoHorizontalScroll(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoHorizontalScroll(page);
    expect(await smallTargets(page)).toEqual([]);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: "light" });
    await expectAccessibleColours(page);
    for (const buttons of DIALOGS[path] ?? []) await expectDialogForFingers(page, [buttons].flat());
    for (const name of PARTS[path] ?? []) await page.getByRole("button", { name }).first().click();
    if (PARTS[path]) await expectForFingers(page, "the parts");
    expect(consoleErrors).toEqual([]);
  });

test("every page is in German for a user whose language is German, and fits on a phone", async ({
  page,
  api,
  consoleErrors,
}) => {
  test.slow();
  const person = await join(api, "ADMIN");
  await (await Api.signIn(person)).put("/api/v1/auth/me", { locale: "de" });
  await signIn(page, person);
  const german = new Map(textsOf(germanMessages));
  const keys = [...german.keys()];
  const english = textsOf(messages).filter(([key, text]) => isEnglishOnly(text, german.get(key)));
  for (const path of routedPaths()) {
    await open(page, addressOf(path, ids));
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    const words = await visibleTexts(page);
    expect
      .soft(
        keys.filter((key) => words.includes(key)),
        path,
      )
      .toEqual([]);
    expect
      .soft(
        english.filter(([, text]) => words.includes(text)),
        path,
      )
      .toEqual([]);
    expect.soft(words, path).not.toContain("{{");
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoHorizontalScroll(page);
    await page.setViewportSize({ width: 1440, height: 900 });
  }
  expect(consoleErrors).toEqual([]);
});

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
