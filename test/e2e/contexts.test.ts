import type { Api, Schemas } from "./support/api.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import type { World } from "./support/world.ts";

const newContext = (api: Api, { project }: World, contextType = "string") =>
  api.post<Schemas["ContextDefinition"]>("/api/v1/contexts", {
    name: "Country",
    contextKey: "country",
    contextType,
    projectId: project.id,
  });

const pathOf = ({ projectId, id }: Schemas["ContextDefinition"]) =>
  `/projects/${projectId}/contexts/${id}`;

test("a developer creates, changes and deletes a context definition", async ({
  page,
  api,
  world,
  openAs,
}) => {
  await newContext(api, world);
  await openAs("DEVELOPER", `/projects/${world.project.id}/contexts`);
  await page.getByRole("button", { name: "New context" }).click();
  const dialog = page.getByRole("dialog", { name: "New context" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Orders so far");
  const key = dialog.getByRole("textbox", { name: "Key" });
  await key.fill("country");
  await dialog.getByRole("combobox", { name: "Type" }).click();
  await page.getByRole("option", { name: "Number" }).click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create context" }).click();
  await expect(key).toBeFocused();
  await expect(dialog.getByText("Another context of this project has this key.")).toBeVisible();
  await key.fill("orders");
  await dialog.getByRole("button", { name: "Create context" }).click();
  await expect(dialog).toHaveCount(0);

  await page.getByRole("link", { name: "Orders so far" }).click();
  await page.getByRole("button", { name: "Edit context" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Orders");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Orders", exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Delete context" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete context" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Contexts" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Country" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Orders" })).toHaveCount(0);
});

test("a developer pastes known values, of which only the new ones are added, and adds, edits, deletes and restores a value", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const context = await newContext(api, world, "semver");
  await api.post(`/api/v1/contexts/${context.id}/values`, { value: "1.0.0" });
  await openAs("DEVELOPER", pathOf(context));
  await page.getByRole("button", { name: "Add several" }).click();
  await page
    .getByRole("textbox", { name: "Values, one per line" })
    .fill("1.0.0\n2.0.0\tSecond\n\n3.0.0\n2.0.0");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add 2 values" }).click();
  await expect(page.getByText("2 values added")).toBeVisible();
  await expect(page.getByRole("row", { name: "2.0.0 Second" })).toBeVisible();

  await page.getByRole("button", { name: "Add value" }).click();
  const dialog = page.getByRole("dialog");
  const value = dialog.getByRole("textbox", { name: "Value" });
  await value.fill("5.x");
  await dialog.getByRole("button", { name: "Add value" }).click();
  await expect(
    dialog.getByText("“5.x” is not a version. Enter a version such as 5.2.0."),
  ).toBeVisible();
  await expect(value).toBeFocused();
  await value.fill("5.2.0");
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);

  await page.getByRole("button", { name: "Edit 5.2.0" }).click();
  await dialog.getByRole("textbox", { name: "Description" }).fill("The first with dark colours");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("row", { name: /5\.2\.0 The first/ })).toBeVisible();

  await page.getByRole("button", { name: "Delete 5.2.0" }).click();
  await expect(page.getByRole("row", { name: "5.2.0" })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("row", { name: /5\.2\.0 The first/ })).toBeVisible();
});
