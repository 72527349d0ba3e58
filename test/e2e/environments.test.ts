import { isIn, setStrategy } from "./support/strategies.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { newFlag, newKey } from "./support/world.ts";

test("an administrator creates, edits and deletes an environment, except one that has API keys", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const flag = await newFlag(api, world);
  const constraints = [isIn("country", "de")];
  await setStrategy(api, flag, world.production, { enabled: true, constraints });
  await newKey(api, world.production);
  await openAs("ADMIN", `/projects/${world.project.id}/environments`);
  const row = (name: string) => page.getByRole("row", { name });
  await expect(row("production")).toContainText("1 of 1");
  await expect(row("development")).toContainText("0 of 1");
  await expect(row("production")).toContainText("0.2 kB of 2 MB");
  await expect(row("development")).toContainText("0.1 kB of 2 MB");
  const header = row("production").getByRole("rowheader");
  await expect(header).toHaveAccessibleName("production Production");
  await expect(header.locator(".mantine-Badge-root"), "production is visible once").toHaveCount(0);

  await page.getByRole("button", { name: "New environment" }).click();
  const name = page.getByRole("dialog").getByRole("textbox", { name: "Name" });
  await name.fill("production");
  await page.getByRole("button", { name: "Create environment" }).click();
  await expect(name).toHaveAccessibleDescription(/has this name/);
  await expectAccessible(page);
  await name.fill("staging");
  await page.getByRole("button", { name: "Create environment" }).click();
  await expect(row("staging")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const hues = () =>
    Promise.all(
      ["development", "production", "staging"].map((called) =>
        page.getByTitle(called, { exact: true }).getAttribute("data-hue"),
      ),
    );
  expect(await hues()).toEqual(["blue", "production", "violet"]);
  const backgrounds = await page.evaluate<string[]>(`
    ["development", "production", "staging"].map(
      (name) => getComputedStyle(document.querySelector("[title=" + name + "]")).backgroundColor)
  `);
  expect(new Set(backgrounds).size).toBe(3);

  await page.getByRole("button", { name: "Edit staging" }).click();
  await expect(name).toHaveValue("staging");
  await name.fill("eu-live");
  const dialog = page.getByRole("dialog", { name: "Edit staging" });
  const production = dialog.getByRole("switch", { name: "Production" });
  await expect(production).not.toBeChecked();
  await expect(production).toHaveAccessibleDescription(/Customers use this environment/);
  await expectAccessible(page);
  await production.click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(row("eu-live").getByText("Production", { exact: true })).toBeVisible();
  await expect(page.getByTitle("eu-live")).toHaveAttribute("data-hue", "production");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.getByRole("button", { name: "Delete eu-live" }).click();
  await page.getByRole("textbox", { name: "Type eu-live to confirm" }).fill("eu-live");
  await page.getByRole("button", { name: "Delete environment" }).click();
  await expect(row("eu-live")).toHaveCount(0);

  await page.getByRole("button", { name: "Delete production" }).click();
  const refusal = page.getByRole("dialog");
  await expect(refusal).toContainText("It still has 1 API key. Revoke it first");
  await expect(refusal.getByRole("textbox")).toHaveCount(0);
  await refusal.getByRole("link", { name: "Go to API keys" }).click();
  await expect(page).toHaveURL(new RegExp(`/api-keys\\?environment=${world.production.id}$`));
  await expect(page.getByRole("row", { name: "Test" })).toBeVisible();
});
