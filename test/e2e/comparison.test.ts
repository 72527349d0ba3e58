import type { Api, Schemas } from "./support/api.ts";
import { setStrategy } from "./support/strategies.ts";
import { expect, expectAccessible, holdStream, type Page, test } from "./support/test.ts";
import { newFlag, type World } from "./support/world.ts";

const address = ({ project }: World, search = "") =>
  `/projects/${project.id}/environments/compare${search}`;

const rowOf = (page: Page, flag: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("link", { name: flag, exact: true }) });

/** Creates four flags: three that differ between development and production, and one that does not. */
async function differingFlags(api: Api, world: World) {
  const flags = new Map<string, Schemas["Flag"]>();
  for (const name of ["Banner", "Checkout", "Search", "Same"])
    flags.set(name, await newFlag(api, world, { name }));
  const flag = (name: string) => flags.get(name)!;
  await setStrategy(api, flag("Banner"), world.development, { enabled: true });
  await setStrategy(api, flag("Checkout"), world.development, { enabled: true, percentage: 25 });
  await setStrategy(api, flag("Search"), world.development, {
    rules: [{ name: "Beta", percentage: 10 }],
  });
  return flag;
}

test("the targeting of selected flags is copied to production with the keyboard, after a confirmation that names it, and restored by Undo", async ({
  page,
  world,
  api,
  signInAs,
}) => {
  await differingFlags(api, world);
  await signInAs("DEVELOPER");
  await holdStream(page);
  await page.goto(`/projects/${world.project.id}/environments`);
  await page.getByRole("link", { name: "Compare environments" }).press("Enter");
  await expect(page.getByRole("combobox", { name: "Copy from" })).toHaveValue("development");
  await expect(page.getByRole("combobox", { name: "Copy to" })).toHaveValue("production");
  await expect(page.getByRole("status").filter({ hasText: "3 flags differ" })).toBeVisible();
  await expect(rowOf(page, "Checkout").getByRole("list")).toHaveText("StateRoll-out");
  await expect(rowOf(page, "Checkout")).toContainText("On for 25% of users");
  await expect(rowOf(page, "Same")).toHaveCount(0);

  await page.getByText("All flags", { exact: true }).click();
  await expect(rowOf(page, "Same")).toContainText("Same");
  await expect(rowOf(page, "Same").getByRole("checkbox")).toHaveCount(0);
  await page.getByRole("checkbox", { name: "Select all that differ" }).press("Space");
  await rowOf(page, "Search").getByRole("checkbox", { name: "Select Search" }).press("Space");
  await page.getByRole("button", { name: "Copy 2 flags to production" }).press("Enter");
  const dialog = page.getByRole("dialog", {
    name: "Copy 2 flags from development to production?",
  });
  await expect(dialog).toContainText("Production environment");
  await expect(dialog.getByText("State only: not copied")).toBeVisible();
  const copied = (flag: string) => dialog.getByRole("listitem").filter({ hasText: flag });
  await expect(copied("Checkout")).toContainText("No users get a different value.");
  await dialog
    .getByRole("checkbox", { name: "Also copy whether the flags are on or off" })
    .press("Space");
  await expect(dialog).toContainText("Turns on 2 flags");
  await expect(copied("Banner")).toContainText(
    "100% of the users of this flag get a different value.",
  );
  await expect(copied("Checkout")).toContainText(
    "25% of the users of this flag get a different value.",
  );
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 flags copied to production")).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "1 flag differs" })).toBeVisible();

  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("2 flags restored in production")).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "3 flags differ" })).toBeVisible();
});

test("a copy is refused if somebody else has changed a strategy since, and the dialog names the flag", async ({
  page,
  world,
  api,
  signInAs,
}) => {
  const flag = await differingFlags(api, world);
  await signInAs("DEVELOPER");
  await holdStream(page);
  const { development, production } = world;
  await page.goto(address(world, `?from=${development.id}&to=${production.id}`));
  await page.getByRole("checkbox", { name: "Select all that differ" }).check();
  await page.getByRole("button", { name: "Copy 3 flags to production" }).click();
  const dialog = page.getByRole("dialog");
  await setStrategy(api, flag("Search"), production, { percentage: 5 });
  await dialog.getByRole("button", { name: "Copy to production" }).click();
  const alert = dialog.getByRole("alert");
  await expect(alert).toContainText("Nothing was copied");
  await expect(alert.getByRole("listitem")).toHaveText(["Search"]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(rowOf(page, "Search")).toContainText("5% of users");
  await page.getByRole("button", { name: "Copy 3 flags to production" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Copy to production" }).click();
  await expect(page.getByText("2 flags copied to production")).toBeVisible();
  await page.getByRole("button", { name: "Swap environments" }).click();
  await expect(page.getByRole("combobox", { name: "Copy from" })).toHaveValue("production");
});

test("a flag is cloned from its page under a key that is free, and from the list", async ({
  page,
  world,
  api,
  openAs,
}) => {
  const flag = await newFlag(api, world, { name: "Checkout", key: "checkout" });
  await newFlag(api, world, { key: "checkout-copy" });
  await setStrategy(api, flag, world.production, { enabled: true, percentage: 30 });
  await openAs("DEVELOPER", `/projects/${world.project.id}/flags/${flag.id}`);
  await page.getByRole("button", { name: "Actions for Checkout" }).press("Enter");
  await page.getByRole("menuitem", { name: "Clone" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Clone “Checkout”" });
  await expect(dialog.getByLabel("Name")).toHaveValue("Checkout (copy)");
  await expect(dialog.getByLabel("Key")).toHaveValue("checkout-copy-2");
  await dialog.getByRole("checkbox", { name: "Keep the on/off state" }).check();
  await expect(dialog.getByText("The clone will be on in production.")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("checkbox", { name: "Keep the on/off state" }).uncheck();
  await dialog.getByLabel("Key").fill("checkout");
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Key")).toHaveAccessibleDescription(
    /Another flag of this project has this key/,
  );
  await dialog.getByLabel("Key").fill("checkout-2");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Checkout (copy)" })).toBeVisible();
  await page.getByRole("tab", { name: "History" }).click();
  await page.getByRole("button", { name: /^Details/ }).click();
  await expect(page.getByText("cloned from")).toBeVisible();

  await page.getByRole("link", { name: "All flags" }).click();
  await page.getByRole("button", { name: "Actions for Checkout (copy)" }).click();
  await page.getByRole("menuitem", { name: "Clone" }).click();
  await expect(page.getByRole("dialog", { name: "Clone “Checkout (copy)”" })).toBeVisible();
});

test("a clone that would be on in a protected environment is proposed", async ({
  page,
  world,
  api,
  openAs,
}) => {
  const { production } = world;
  const flag = await newFlag(api, world, { name: "Checkout", key: "checkout" });
  await setStrategy(api, flag, production, { enabled: true });
  await api.put(`/api/v1/environments/${production.id}/protection`, { requiredApprovals: 1 });
  await openAs("DEVELOPER", `/projects/${world.project.id}/flags/${flag.id}`);
  await page.getByRole("button", { name: "Actions for Checkout" }).press("Enter");
  await page.getByRole("menuitem", { name: "Clone" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Clone “Checkout”" });
  await dialog.getByRole("checkbox", { name: "Keep the on/off state" }).check();
  await dialog.getByRole("button", { name: "Clone flag" }).click();
  const proposal = page.getByRole("dialog", { name: "Propose the change in production?" });
  await proposal.getByRole("textbox", { name: "Reason" }).fill("For the new shop");
  await proposal.getByRole("button", { name: "Propose change" }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "Show change request" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "For the new shop" })).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(1);
});
