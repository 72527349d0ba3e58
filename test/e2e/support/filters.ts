import type { Page } from "@playwright/test";

/** Sets a filter of the list on the page with its button, menu and list of values. */
export async function addFilter(page: Page, filter: string, value: string): Promise<void> {
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByRole("menuitem", { name: filter, exact: true }).click();
  await page.getByRole("option", { name: value, exact: true }).click();
}
