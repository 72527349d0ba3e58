import { setStrategy } from "./support/strategies.ts";
import { expect, expectAccessible, hold, type Page, test } from "./support/test.ts";
import { keyboardUser } from "./support/user.ts";
import { listPath, newFlag, newStaleFlags } from "./support/world.ts";

const bar = (page: Page) => page.getByRole("toolbar", { name: "Actions for the selected flags" });
const select = (page: Page, flag: string) =>
  page.getByRole("checkbox", { name: `Select ${flag}`, exact: true });

test("a user with the keyboard alone archives all flags that match the filters with one request, and restores them", async ({
  page,
  world,
  api,
  openAs,
}) => {
  await newFlag(api, world, { name: "Fresh" });
  await newStaleFlags(world);
  const changes: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== "GET" && pathname.startsWith("/api/v1/flags"))
      changes.push(`${request.method()} ${pathname}`);
  });
  await openAs("DEVELOPER", listPath(world));
  const user = keyboardUser(page);
  await user.activate(page.getByRole("button", { name: "Filter", exact: true }));
  await user.activate(page.getByRole("menuitem", { name: "Lifecycle" }));
  await user.activate(page.getByRole("option", { name: "Stale", exact: true }));
  await expect(page.getByText("of 69 flags")).toBeVisible();
  await user.activate(page.getByRole("checkbox", { name: "Select all flags on this page" }));
  await expect(bar(page).getByRole("status")).toHaveText("50 flags selected");
  const release = await hold(page, "**/api/v1/flags?*");
  await user.activate(bar(page).getByRole("button", { name: "Select all 69 that match" }));
  await expect(bar(page)).toHaveAttribute("aria-busy", "true");
  await expect(bar(page).getByRole("button", { name: "Archive" })).toBeDisabled();
  await expect(bar(page).getByRole("button", { name: "More" })).toBeDisabled();
  release();
  await expect(bar(page).getByRole("status")).toHaveText("69 flags selected");
  await user.activate(bar(page).getByRole("button", { name: "Archive" }));
  const question = page.getByRole("dialog", { name: "Archive 69 flags?" });
  await expect(question.getByRole("listitem")).toHaveText([
    ...Array.from({ length: 8 }, (_, n) => `Old 0${n + 1}`),
    "and 61 more",
  ]);
  await user.activate(question.getByRole("button", { name: "Archive 69 flags" }));
  await expect(page.getByText("69 flags archived")).toBeVisible();
  expect(changes).toEqual(["POST /api/v1/flags/bulk"]);
  await expect(bar(page)).toBeHidden();

  await user.activate(page.getByRole("button", { name: "Undo" }));
  await expect(page.getByText("69 flags unarchived")).toBeVisible();
  expect(changes).toHaveLength(2);
});

test("flags are selected by the keyboard and by a range, and turned on in production after a confirmation that names it", async ({
  page,
  world,
  api,
  openAs,
}) => {
  const alpha = await newFlag(api, world, { name: "Alpha" });
  for (const name of ["Beta", "Delta", "Gamma"]) await newFlag(api, world, { name });
  await setStrategy(api, alpha, world.production, { enabled: true });
  await openAs("DEVELOPER", listPath(world));
  await select(page, "Alpha").focus();
  await page.keyboard.press("Space");
  await expect(bar(page).getByRole("status")).toHaveText("1 flag selected");
  await select(page, "Delta").click({ modifiers: ["Shift"] });
  await expect(bar(page).getByRole("status")).toHaveText("3 flags selected");
  await expect(select(page, "Beta")).toBeChecked();
  await expect(select(page, "Gamma")).not.toBeChecked();

  await bar(page).getByRole("button", { name: "More" }).press("Enter");
  await page.getByRole("menuitem", { name: "Turn on in production" }).press("Enter");
  const question = page.getByRole("dialog", { name: "Turn on 3 flags in production?" });
  await expect(question).toContainText("Production environment");
  await expect(question.getByRole("listitem")).toHaveText(["Alpha", "Beta", "Delta"]);
  await expectAccessible(page);
  await question.getByRole("button", { name: "Turn on in production" }).press("Enter");
  const toast = page.getByRole("alert").filter({ hasText: "turned on in production" });
  await expect(toast).toContainText("2 flags turned on in production · 1 was like that already");
  for (const name of ["Alpha", "Beta", "Delta"])
    await expect(page.getByRole("switch", { name: `${name} in production` })).toBeChecked();

  await toast.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("switch", { name: "Beta in production" })).not.toBeChecked();
  await expect(page.getByRole("switch", { name: "Alpha in production" })).toBeChecked();
});

test("a tag is added to selected flags, and the dialog shows why other flags cannot be archived", async ({
  page,
  world,
  api,
  openAs,
}) => {
  const base = await newFlag(api, world, { name: "Base" });
  await newFlag(api, world, { name: "Needs base", prerequisites: [{ flagKey: base.key }] });
  await newFlag(api, world, { name: "Other" });
  await openAs("DEVELOPER", listPath(world));
  await select(page, "Base").check();
  await select(page, "Other").check();
  await bar(page).getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Add tag" }).click();
  const tagging = page.getByRole("dialog", { name: "Add a tag to 2 flags" });
  await tagging.getByRole("combobox", { name: "Tag" }).fill("cleanup");
  await tagging.getByRole("button", { name: "Add tag" }).click();
  await expect(page.getByText("2 flags tagged “cleanup”")).toBeVisible();
  await expect(page.getByRole("row", { name: /Other/ }).getByText("cleanup")).toBeVisible();

  await select(page, "Base").check();
  await select(page, "Other").check();
  await bar(page).getByRole("button", { name: "Archive" }).click();
  const question = page.getByRole("dialog", { name: "Archive 2 flags?" });
  await question.getByRole("button", { name: "Archive 2 flags" }).click();
  await expect(question.getByRole("alert")).toContainText(base.key);
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(bar(page).getByRole("status")).toHaveText("2 flags selected");
  await bar(page).getByRole("button", { name: "Clear selection" }).click();
  await expect(bar(page)).toBeHidden();
});
