import { addFilter } from "./support/filters.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { newFlag } from "./support/world.ts";

test("a developer creates, changes and deletes a tag, and the form reports a duplicate name", async ({
  page,
  api,
  world,
  openAs,
}) => {
  await openAs("DEVELOPER", `/projects/${world.project.id}/tags`);
  await expect(page.getByText("No tags yet")).toBeVisible();
  await page.getByRole("button", { name: "New tag" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("checkout");
  await dialog.getByRole("radio", { name: "Green" }).check();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create tag" }).click();
  await expect(page.getByRole("row", { name: "checkout 0 flags" })).toBeVisible();

  await page.getByRole("button", { name: "New tag" }).click();
  const name = dialog.getByRole("textbox", { name: "Name" });
  await name.fill("checkout");
  await dialog.getByRole("button", { name: "Create tag" }).click();
  await expect(name).toBeFocused();
  await expect(dialog.getByText("Another tag of this project has this name.")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Leave without saving" }).click();

  await newFlag(api, world, { tags: ["checkout"] });
  await page.getByRole("button", { name: "Edit checkout" }).click();
  const hex = dialog.getByRole("textbox", { name: "Colour as a hex value" });
  await hex.fill("red");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(hex).toHaveAccessibleDescription(
    "Enter # and three or six hex digits, such as #2f9e44.",
  );
  await hex.fill("#C2255C");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toHaveCount(0);

  const link = page.getByRole("row", { name: "checkout" }).getByRole("link", { name: "1 flag" });
  await expect(link).toHaveAttribute("href", /\/flags\?tag=checkout$/);
  await page.getByRole("button", { name: "Delete checkout" }).click();
  await expect(dialog.getByText("1 flag loses this tag. This cannot be undone.")).toBeVisible();
  await dialog.getByRole("button", { name: "Delete tag" }).click();
  await expect(page.getByText("No tags yet")).toBeVisible();
});

test("a filter shows only the tags that no flag uses, is in the address, and can be removed", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const names = Array.from({ length: 8 }, (_, number) => `area ${number}`);
  await newFlag(api, world, { tags: names });
  await api.post("/api/v1/tags", { name: "old", color: "#868e96", projectId: world.project.id });
  await openAs("VIEWER", `/projects/${world.project.id}/tags`);
  const rows = page.getByRole("table").getByRole("row");
  await expect(rows).toHaveCount(10);
  await addFilter(page, "Use", "Not used by flags");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText("old");
  await page.reload();
  await expect(rows).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Remove filter: Use" }).click();
  await expect(rows).toHaveCount(10);
});
