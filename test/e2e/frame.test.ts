import { expect, expectAccessible, test } from "./support/test.ts";

test("the frame leads to every page by keyboard", async ({ page, world, signInAs, complaints }) => {
  await signInAs("ADMIN");
  await page.goto(`/projects/${world.project.id}/tags`);
  await expect(page.getByRole("heading", { level: 1, name: "Tags" })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Control+K");
  await page.getByRole("textbox", { name: "Search or jump to" }).fill("segm");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/segments$/);
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

test("what a role may not do is not in the navigation", async ({ page, world, signInAs }) => {
  await signInAs("DEVELOPER");
  await page.goto(`/projects/${world.project.id}/tags`);
  await expect(page.getByRole("link", { name: "Segments" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Users" })).toHaveCount(0);
});
