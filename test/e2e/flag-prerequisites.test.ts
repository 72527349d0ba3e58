import { expect, expectAccessible, hold, type Page, test } from "./support/test.ts";
import { flagPath, newFlag } from "./support/world.ts";

const section = (page: Page) => page.getByRole("region", { name: "Prerequisites" });
const row = (page: Page, number: number) =>
  page.getByRole("group", { name: `Prerequisite ${number}` });
const required = (page: Page) => section(page).getByRole("list", { name: "Prerequisites" });

async function choose(page: Page, number: number, name: string): Promise<void> {
  const input = row(page, number).getByRole("combobox", { name: "Flag" });
  await input.click();
  await input.fill(name);
  await page.getByRole("option", { name }).click();
}

/** Opens the page of a flag, and then the form of the section. */
async function edit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(section(page)).toBeVisible();
  await section(page).getByRole("button", { name: "Edit prerequisites" }).click();
}

/** Saves the prerequisites and confirms, because the change reaches SDKs. */
async function save(page: Page): Promise<void> {
  await section(page).getByRole("button", { name: "Save" }).click();
  const question = page.getByRole("dialog", { name: "Save prerequisites?" });
  await question.getByRole("button", { name: "Save" }).click();
}

test("a flag requires other flags until the prerequisites are removed, and the pages of both flags link to each other", async ({
  page,
  api,
  world,
  signInAs,
}) => {
  await newFlag(api, world, { name: "New shop" });
  await newFlag(api, world, {
    name: "Checkout theme",
    valueType: "string",
    variants: ["classic", "bold", "large"].map((key) => ({ key, value: key })),
  });
  const flag = await newFlag(api, world, { name: "Button label" });
  await signInAs("DEVELOPER");
  // The section shows after the targeting above it has loaded, so that it does not move.
  const release = await hold(page, "**/api/v1/flags/*/strategies?**");
  await page.goto(flagPath(world, flag));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Button label");
  await expect(section(page)).toHaveCount(0);
  release();
  await expect(section(page).getByText("None.")).toBeVisible();
  await section(page).getByRole("button", { name: "Edit prerequisites" }).click();
  await choose(page, 1, "New shop");
  await row(page, 1).getByRole("combobox", { name: "Must be" }).click();
  await page.getByRole("option", { name: "Off" }).click();
  await section(page).getByRole("button", { name: "Add prerequisite" }).click();
  await choose(page, 2, "Checkout theme");
  await row(page, 2).getByRole("combobox", { name: "Variants" }).click();
  await page.getByRole("option", { name: "bold" }).click();
  await page.getByRole("option", { name: "large" }).click();
  await page.keyboard.press("Escape");
  // Otherwise the sticky header covers a part of the tabs, which axe takes for a small target.
  await page.evaluate('document.getElementById("content").scrollTo(0, 0)');
  await expectAccessible(page);
  await save(page);

  await expect(page.getByText("Prerequisites saved")).toBeVisible();
  await expect(required(page).getByRole("listitem")).toHaveText([
    /^New shop .* is off$/,
    /^Checkout theme .* serves bold or large$/,
  ]);

  await required(page).getByRole("link", { name: "Checkout theme" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Checkout theme");
  const dependents = section(page).getByRole("list", { name: "Required by" });
  await dependents.getByRole("link", { name: "Button label" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Button label");

  await section(page).getByRole("button", { name: "Edit prerequisites" }).click();
  for (const number of [2, 1])
    await row(page, number)
      .getByRole("button", { name: `Remove prerequisite ${number}` })
      .click();
  await expect(section(page).getByRole("button", { name: "Add prerequisite" })).toBeFocused();
  await save(page);
  await expect(section(page).getByText("None.")).toBeVisible();
});

test("the input for a flag says that the flags did not load, and reports a flag that is missing or would close a cycle", async ({
  page,
  api,
  world,
  signInAs,
}) => {
  const flag = await newFlag(api, world, { name: "New shop" });
  await newFlag(api, world, {
    name: "Button label",
    prerequisites: [{ flagKey: flag.key }],
  });
  await signInAs("DEVELOPER");
  await page.route("**/api/v1/flags?**", (route) =>
    route.fulfill({ status: 503, json: { error: "Try again later", code: "SERVICE_UNAVAILABLE" } }),
  );
  await edit(page, flagPath(world, flag));
  const input = row(page, 1).getByRole("combobox", { name: "Flag" });
  await input.click();
  const list = page.getByRole("listbox", { name: "Flag" });
  await expect(list).toHaveText(/^The server could not process the request/);
  await page.unrouteAll();
  await input.press("Escape");
  await expect(list).toBeHidden();
  // The flags load when the input is opened again.
  await input.click();
  await expect(page.getByRole("option")).toHaveText([/^Button label/]);
  await input.press("Escape");

  await section(page).getByRole("button", { name: "Save" }).click();
  await expect(input).toHaveAccessibleDescription(/Required/);
  await choose(page, 1, "Button label");
  await save(page);
  await expect(input).toHaveAccessibleDescription(/Requires this flag/);
  await expect(input).toBeFocused();
  await expect(section(page).getByRole("alert")).toHaveCount(0);
});
