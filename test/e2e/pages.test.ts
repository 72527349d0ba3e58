import { messages as germanMessages } from "../../dashboard/src/shared/i18n/de/index.ts";
import { messages } from "../../dashboard/src/shared/i18n/en/index.ts";
import { Api } from "./support/api.ts";
import { addressOf, type DemoIds, demoIds, open, routedPaths } from "./support/pages.ts";
import { smallTargets } from "./support/targets.ts";
import { ADMIN, join } from "./support/people.ts";
import {
  expect,
  expectAccessible,
  expectAccessibleColours,
  type Page,
  signIn,
  test,
} from "./support/test.ts";

let ids: DemoIds;
test.beforeAll(async () => {
  ids = await demoIds(await Api.signIn(ADMIN));
});

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
