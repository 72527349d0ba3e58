import type { Api, Schemas } from "./support/api.ts";
import { setStrategy } from "./support/strategies.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { type World, flagPath, newFlag } from "./support/world.ts";

const newTheme = (api: Api, world: World, fields: Partial<Schemas["CreateFlag"]> = {}) =>
  newFlag(api, world, {
    name: "Checkout theme",
    valueType: "json",
    variants: [
      { key: "classic", value: { color: "#1971c2" }, description: "As today" },
      { key: "bold", value: { color: "#e03131", lines: Array.from({ length: 30 }, () => "text") } },
    ],
    ...fields,
  });

const load = (api: Api, { id }: { id: number }) =>
  api.get<Schemas["FlagWithDependents"]>(`/api/v1/flags/${id}`);

const section = (page: Page) => page.getByRole("region", { name: "Variants", exact: true });
const row = (page: Page, number: number) => page.getByRole("group", { name: `Variant ${number}` });
const valueIn = (page: Page, number: number) =>
  row(page, number).getByRole("textbox", { name: "Value" });

/** Returns a list that grows with each request of the page for the code of the JSON editor. */
function filesOfJsonEditor(page: Page): readonly string[] {
  const files: string[] = [];
  page.on("request", (request) => {
    if (/code-editor[^/]*\.js/.test(request.url())) files.push(request.url());
  });
  return files;
}

/** Opens the page of a flag, and then the form of the section. */
async function edit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(section(page)).toBeVisible();
  await section(page).getByRole("button", { name: "Edit variants" }).click();
}

/** Saves the variants and confirms, because the change reaches SDKs. */
async function save(page: Page): Promise<void> {
  await section(page).getByRole("button", { name: "Save" }).click();
  const question = page.getByRole("dialog", { name: "Save variants?" });
  await question.getByRole("button", { name: "Save" }).click();
}

test("the first flag of a project is created with JSON values, and the form reports invalid ones at their inputs", async ({
  page,
  world,
  openAs,
}) => {
  // The page of a project leads to its flags.
  await openAs("DEVELOPER", `/projects/${world.project.id}`);
  await expect(page.getByText("No flags yet")).toBeVisible();
  await expect(page.getByRole("link", { name: "Start the guided tour" })).toHaveAttribute(
    "href",
    `/projects/${world.project.id}/start`,
  );
  await page.getByRole("button", { name: "New flag" }).click();
  const form = page.getByRole("dialog", { name: "New flag" });
  await form.getByLabel("Name").fill("Checkout theme");
  await expect(form.getByText("The flag is on or off.")).toBeVisible();
  await expect(row(page, 1)).toHaveCount(0);
  await form.getByText("JSON", { exact: true }).click();
  await expect(form.getByText("The flag serves an object, a list or any other JSON")).toBeVisible();
  await row(page, 1).getByLabel("Key").fill("classic blue");
  await valueIn(page, 1).fill('{"color": "#1971c2"');
  await expect(valueIn(page, 1)).toHaveAccessibleDescription(/Invalid JSON/);
  await expectAccessible(page);
  const create = form.getByRole("button", { name: "Create flag" });
  await expect(create).toBeInViewport({ ratio: 1 });

  // Escape leaves the editor first, and then asks before the dialog loses the input.
  await page.keyboard.press("Escape");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await expect(valueIn(page, 1)).not.toBeFocused();
  await expect(question).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(question).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  await expect(form.getByLabel("Name")).toHaveValue("Checkout theme");

  await create.click();
  await expect(row(page, 1).getByLabel("Key")).toBeFocused();
  await expect(row(page, 1).getByLabel("Key")).toHaveAccessibleDescription(/1 to 64 letters/);
  await expect(valueIn(page, 1)).toHaveAttribute("aria-invalid", "true");

  await row(page, 1).getByLabel("Key").fill("classic");
  await valueIn(page, 1).fill('{"color": "#1971c2"}');
  await form.getByRole("button", { name: "Create flag" }).click();
  await expect(page).toHaveURL(/\/flags\/\d+\?environment=\d+$/);
  await expect(section(page).getByText("classic")).toBeVisible();
  await expect(page.getByRole("main").getByText("JSON", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "All flags" }).click();
  const listed = page.getByRole("row", { name: /Checkout theme/ });
  await expect(listed.getByText("JSON", { exact: true })).toBeVisible();
});

test("the values of variants are checked against the schema while the user types", async ({
  page,
  api,
  world,
  signInAs,
}) => {
  const flag = await newTheme(api, world);
  await signInAs("DEVELOPER");
  await edit(page, flagPath(world, flag));
  await section(page).getByRole("button", { name: "Add JSON Schema" }).click();
  const schema = section(page).getByRole("textbox", { name: "JSON Schema" });
  await schema.fill('{"properties": {"color": {"type": "string"}}}');
  await valueIn(page, 1).fill('{"color": 1}');
  const fault = /color: .*Expected "string"/;
  await expect(valueIn(page, 1)).toHaveAccessibleDescription(fault);
  await expect(row(page, 1).getByText(fault).filter({ visible: true })).toHaveCount(1);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page);

  await valueIn(page, 1).fill('{"color":"#000"}');
  await expect(valueIn(page, 1)).toHaveAttribute("aria-invalid", "false");
  await row(page, 1).getByRole("button", { name: "Format" }).click();
  await expect(valueIn(page, 1)).toHaveText('{  "color": "#000"}');
  await schema.fill("[]");
  await section(page).getByRole("button", { name: "Save" }).click();
  await expect(schema).toHaveAccessibleDescription(/A JSON Schema is an object/);
});

test("Tab leaves the JSON editor, leaving the page with unsaved variants asks first, and a variant that an environment serves is not removed", async ({
  page,
  api,
  world,
  signInAs,
}) => {
  const flag = await newTheme(api, world);
  await setStrategy(api, flag, world.production, { serve: { variant: "bold" } });
  await signInAs("DEVELOPER");
  await edit(page, flagPath(world, flag));
  await valueIn(page, 1).click();
  await page.keyboard.press("Tab");
  await expect(row(page, 2).getByLabel("Key")).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(valueIn(page, 1)).toBeFocused();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("null");
  await expect(valueIn(page, 1)).toHaveText("null");
  await page.getByRole("link", { name: "All flags" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Cancel" }).click();

  await section(page).getByRole("button", { name: "Remove variant 2" }).click();
  await save(page);
  await expect(section(page).getByRole("alert")).toContainText(/production serves bold/);
});

test("variants are added, removed and changed, with an off variant and a schema", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const flag = await newTheme(api, world);
  const editorFiles = filesOfJsonEditor(page);
  await openAs("DEVELOPER", flagPath(world, flag));
  await expect(section(page).getByText("Off value: the default in your code.")).toBeVisible();
  await section(page)
    .getByRole("button", { name: /^Show all/ })
    .click();
  await expect(section(page).getByRole("button", { name: "Show less" })).toBeVisible();
  expect(editorFiles).toEqual([]);

  await section(page).getByRole("button", { name: "Edit variants" }).click();
  await expect(row(page, 1).getByLabel("Key")).toBeFocused();
  await valueIn(page, 1).fill('{"color":"#000"}');
  await expect.poll(() => editorFiles.length).toBe(1);
  await section(page).getByRole("button", { name: "Remove variant 2" }).click();
  await section(page).getByRole("button", { name: "Add variant" }).click();
  await row(page, 2).getByLabel("Key").fill("large");
  await valueIn(page, 2).fill('{"color":"#fff"}');
  await section(page).getByRole("combobox", { name: "Off variant" }).click();
  await page.getByRole("option", { name: "large" }).click();
  await section(page).getByRole("button", { name: "Add JSON Schema" }).click();
  await section(page).getByRole("button", { name: "Save" }).click();
  const question = page.getByRole("dialog", { name: "Save variants?" });
  await expect(question.getByRole("listitem")).toHaveText([
    "classic gets another value",
    "bold is removed",
    "The off variant is large",
  ]);
  await question.getByRole("button", { name: "Save" }).click();

  await expect(page.getByText("Variants saved")).toBeVisible();
  await expect(section(page).getByRole("button", { name: "Edit variants" })).toBeFocused();
  expect(await load(api, flag)).toMatchObject({
    variants: [
      { key: "classic", value: { color: "#000" }, description: "As today" },
      { key: "large", value: { color: "#fff" } },
    ],
    offVariant: "large",
    valueSchema: { type: "object" },
  });
  const off = section(page).getByRole("listitem").filter({ hasText: "Off variant" });
  await expect(off).toContainText("large");
});

test("variants that another user has changed are not overwritten", async ({
  page,
  api,
  world,
  signInAs,
}) => {
  const flag = await newFlag(api, world, {
    valueType: "number",
    variants: [{ key: "low", value: 1 }],
  });
  await signInAs("DEVELOPER");
  await edit(page, flagPath(world, flag));
  await valueIn(page, 1).fill("two");
  await section(page).getByRole("button", { name: "Save" }).click();
  await expect(valueIn(page, 1)).toHaveAccessibleDescription(/Enter a number/);
  await valueIn(page, 1).fill("2");
  await api.put(`/api/v1/flags/${flag.id}`, { variants: [{ key: "low", value: 3 }] });
  await save(page);
  await expect(section(page).getByRole("alert")).toContainText("Someone else changed");
  await expect(page.getByRole("tab", { name: "Targeting" })).toContainText("Someone else changed");
  await section(page).getByRole("button", { name: "Load saved version" }).click();
  await expect(valueIn(page, 1)).toHaveValue("3");
  await valueIn(page, 1).fill("2.5");
  await save(page);
  await expect(section(page).getByText("2.5")).toBeVisible();
});
