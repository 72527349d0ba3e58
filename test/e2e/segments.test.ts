import type { Api, Schemas } from "./support/api.ts";
import { followAndLoad } from "./support/pages.ts";
import { isIn, setStrategy } from "./support/strategies.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { newFlag, type World } from "./support/world.ts";

const newContext = (api: Api, { project }: World, contextKey: string, contextType: string) =>
  api.post<Schemas["ContextDefinition"]>("/api/v1/contexts", {
    name: `The ${contextKey}`,
    contextKey,
    contextType,
    projectId: project.id,
  });

const newSegment = (api: Api, { project }: World, name = "Europe") =>
  api.post<Schemas["Segment"]>("/api/v1/segments", {
    name,
    constraints: [isIn("country", "DE")],
    projectId: project.id,
  });

/** Creates a flag that is on in production for users in the segment. */
async function flagFor(api: Api, world: World, segment: Schemas["Segment"]) {
  const flag = await newFlag(api, world);
  await setStrategy(api, flag, world.production, { enabled: true, segmentIds: [segment.id] });
  return flag;
}

const pathOf = ({ projectId, id }: Schemas["Segment"]) => `/projects/${projectId}/segments/${id}`;

const constraint = (page: Page, number: number) =>
  page.getByRole("group", { name: `Constraint ${number}`, exact: true });

test("a developer builds a segment of constraints of different types", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const country = await newContext(api, world, "country", "string");
  await newContext(api, world, "appVersion", "semver");
  await api.post(`/api/v1/contexts/${country.id}/values`, { value: "DE", description: "Germany" });
  await openAs("DEVELOPER", `/projects/${world.project.id}/segments`);

  await page.getByRole("button", { name: "New segment" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Recent, in Europe");
  await page.getByRole("button", { name: "Create segment" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Recent, in Europe" })).toBeVisible();
  await expect(page.getByText("No members yet.")).toBeVisible();

  const add = page.getByRole("button", { name: "Add constraint" });
  await add.click();
  const first = constraint(page, 1);
  await expect(first.getByRole("combobox", { name: "Field" })).toBeFocused();
  await page.getByRole("option", { name: "The country" }).click();
  const values = first.getByRole("combobox", { name: "Values" });
  await values.click();
  await page.getByRole("option", { name: "DE Germany" }).click();
  await values.fill("FR");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");

  await add.click();
  const second = constraint(page, 2);
  await second.getByRole("combobox", { name: "Field" }).fill("appVersion");
  await second.getByRole("combobox", { name: "Value", exact: true }).fill("5.2.0");
  await expect(second.getByRole("combobox", { name: "Operator" })).toHaveValue("is at least");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Recent, in Europe saved")).toBeVisible();

  const [saved] = await api.get<Schemas["Segment"][]>(
    `/api/v1/segments?projectId=${world.project.id}`,
  );
  expect(saved?.constraints).toEqual([
    isIn("country", "DE", "FR"),
    { field: "appVersion", operator: "gte", values: ["5.2.0"], contextType: "semver" },
  ]);

  await page.getByRole("link", { name: "All segments" }).click();
  await expect(page.getByText("country is one of DE, FR")).toBeVisible();
  await expect(page.getByText("appVersion is at least 5.2.0")).toBeVisible();
});

test("the segment form offers negated operators, and accepts a field without a context definition", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const segment = await newSegment(api, world);
  await openAs("ADMIN", pathOf(segment));
  await page.getByRole("button", { name: "Duplicate constraint 1" }).click();
  const copy = constraint(page, 2);
  await copy.getByRole("combobox", { name: "Field" }).fill("email");
  await copy.getByRole("combobox", { name: "Operator" }).click();
  await page.getByRole("option", { name: "does not end with" }).click();
  await copy.getByRole("combobox", { name: "Values" }).fill("@x.example");
  await page.keyboard.press("Enter");
  await copy.getByRole("button", { name: "Remove DE" }).click();
  await copy.getByRole("checkbox", { name: "Ignore case" }).check();
  await page.getByRole("button", { name: "Remove constraint 1" }).click();
  await expect(page.getByRole("button", { name: "Remove constraint 1" })).toBeFocused();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Europe saved")).toBeVisible();

  const saved = await api.get<Schemas["Segment"]>(`/api/v1/segments/${segment.id}`);
  expect(saved.constraints).toEqual([
    {
      field: "email",
      operator: "endsWith",
      values: ["@x.example"],
      contextType: "string",
      caseInsensitive: true,
      inverted: true,
    },
  ]);
});

test("the segment form shows errors at their fields, also of patterns that are too long, too large or too many", async ({
  page,
  api,
  world,
  openAs,
}) => {
  await newContext(api, world, "appVersion", "semver");
  await newSegment(api, world, "Taken");
  const segment = await newSegment(api, world);
  await openAs("DEVELOPER", pathOf(segment));
  await page.getByRole("button", { name: "Add constraint" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save" }).click();
  const row = constraint(page, 2);
  const field = row.getByRole("combobox", { name: "Field" });
  await expect(field).toHaveAccessibleDescription("Enter a field.");
  await expect(field).toBeFocused();
  await expect(row.getByText("Enter at least one value.")).toBeVisible();

  await field.fill("appV");
  await page.getByRole("option", { name: "The appVersion" }).click();
  const value = row.getByRole("combobox", { name: "Value", exact: true });
  await value.fill("5.x");
  await page.keyboard.press("Tab");
  await expect(value).toHaveAccessibleDescription(
    "“5.x” is not a version. Enter a version such as 5.2.0.",
  );
  await expectAccessible(page);
  await value.fill("5.2.0");

  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("Taken");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(name).toHaveAccessibleDescription("Another segment of this project has this name.");

  const first = constraint(page, 1);
  await first.getByRole("combobox", { name: "Operator" }).click();
  await page.getByRole("option", { name: "matches the pattern", exact: true }).click();
  const values = first.getByRole("combobox", { name: "Values" });
  const add = async (...patterns: string[]) => {
    for (const pattern of patterns) {
      await values.fill(pattern);
      await page.keyboard.press("Enter");
    }
    // The errors of values appear when the focus leaves the values and their checkbox.
    await first.getByRole("button", { name: "Duplicate constraint 1" }).focus();
  };

  await add("\\pL{1000}");
  const tooLarge = /The pattern “\\pL\{1000\}” is too large\. Use fewer repetitions/;
  await expect(first.getByText(tooLarge)).toBeVisible();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(first.getByText(tooLarge)).toBeVisible();
  await first.getByRole("button", { name: "Remove \\pL{1000}" }).click();

  await add("a".repeat(257));
  await expect(first.getByText("A pattern can have at most 256 characters.")).toBeVisible();
  await first.getByRole("button", { name: `Remove ${"a".repeat(257)}` }).click();

  await add(...Array.from({ length: 20 }, (_, index) => `^${index}$`));
  await expect(first.getByText("Enter at most 20 patterns.")).toBeVisible();
});

test("a segment in use changes only after confirmation, and can be deleted only if no flag uses it", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const segment = await newSegment(api, world);
  const free = await newSegment(api, world, "Nobody’s");
  const flag = await flagFor(api, world, segment);
  await openAs("DEVELOPER", pathOf(segment));
  const users = page.getByRole("region", { name: "Used by" });
  await expect(users.getByRole("link", { name: flag.name })).toHaveAttribute(
    "href",
    `/projects/${world.project.id}/flags/${flag.id}`,
  );
  await constraint(page, 1).getByRole("combobox", { name: "Values" }).fill("AT");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save" }).click();
  const dialog = page.getByRole("dialog", { name: "Change “Europe”?" });
  await expect(dialog.getByText("Saving changes 1 flag")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Change 1 flag" }).click();
  await expect(page.getByText("Europe saved")).toBeVisible();

  await page.getByRole("button", { name: "Delete segment" }).click();
  const deletion = page.getByRole("dialog");
  await expect(deletion.getByText("A segment that is in use cannot be deleted.")).toBeVisible();
  await expect(deletion.getByRole("link", { name: flag.name })).toBeVisible();
  await expect(deletion.getByRole("button", { name: "Delete segment" })).toHaveCount(0);

  await page.keyboard.press("Escape");
  await followAndLoad(page, pathOf(free));
  await page.getByRole("button", { name: "Delete segment" }).click();
  await deletion.getByRole("button", { name: "Delete segment" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Segments" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Nobody’s" })).toHaveCount(0);
});

test("the segment form keeps unsaved input, and does not overwrite a concurrent change", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const segment = await newSegment(api, world);
  await openAs("DEVELOPER", pathOf(segment));
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("Mine");
  await page.getByRole("link", { name: "All segments" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(name).toHaveValue("Mine");

  await api.put(`/api/v1/segments/${segment.id}`, { name: "Theirs" });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Someone else changed this segment.")).toBeVisible();
  await expect(name).toHaveValue("Mine");
  expect((await api.get<Schemas["Segment"]>(`/api/v1/segments/${segment.id}`)).name).toBe("Theirs");
});
