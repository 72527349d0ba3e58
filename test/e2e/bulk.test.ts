import type { Api, Schemas } from "./support/api.ts";
import { setStrategy } from "./support/strategies.ts";
import { expect, expectAccessible, hold, type Page, test } from "./support/test.ts";
import { smallTargets } from "./support/targets.ts";
import { type World, listPath, newFlag, newStaleFlags } from "./support/world.ts";

const flagsOf = async (api: Api, { project }: World, query = "") => {
  const path = `/api/v1/flags?projectId=${project.id}&size=200&sort=name${query}`;
  return (await api.get<Schemas["FlagPage"]>(path)).items;
};

const recordsOf = async (api: Api, { project }: World, action: string) => {
  const path = `/api/v1/audit?projectId=${project.id}&action=${action}&size=200`;
  return (await api.get<Schemas["AuditPage"]>(path)).items;
};

/** Returns a function that clicks, and that counts its clicks. */
function counter() {
  let clicks = 0;
  return {
    click: async (target: ReturnType<Page["getByRole"]>, options: object = {}) => {
      clicks += 1;
      await target.click(options);
    },
    count: () => clicks,
  };
}

const bar = (page: Page) => page.getByRole("toolbar", { name: "Actions for the selected flags" });
const select = (page: Page, flag: string) =>
  page.getByRole("checkbox", { name: `Select ${flag}`, exact: true });

test("69 stale flags are archived in six clicks and one request, and restored by Undo", async ({
  page,
  world,
  api,
  signInAs,
}) => {
  await newFlag(api, world, { name: "Fresh" });
  await newStaleFlags(world);
  const changes: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== "GET" && pathname.startsWith("/api/v1/flags"))
      changes.push(`${request.method()} ${pathname}`);
  });
  await signInAs("DEVELOPER");
  await page.goto(listPath(world));
  const { click, count } = counter();
  await click(page.getByRole("combobox", { name: "Lifecycle" }));
  await click(page.getByRole("option", { name: "Stale" }));
  await expect(page.getByText("of 69 flags")).toBeVisible();
  await click(page.getByRole("checkbox", { name: "Select all flags on this page" }));
  await expect(bar(page).getByRole("status")).toHaveText("50 flags selected");
  const release = await hold(page, "**/api/v1/flags?*");
  await click(bar(page).getByRole("button", { name: "Select all 69 that match" }));
  await expect(bar(page)).toHaveAttribute("aria-busy", "true");
  await expect(bar(page).getByRole("button", { name: "Archive" })).toBeDisabled();
  await expect(bar(page).getByRole("button", { name: "More" })).toBeDisabled();
  release();
  await expect(bar(page).getByRole("status")).toHaveText("69 flags selected");
  await click(bar(page).getByRole("button", { name: "Archive" }));
  const question = page.getByRole("dialog", { name: "Archive 69 flags?" });
  await expect(question.getByRole("listitem")).toHaveText([
    ...Array.from({ length: 8 }, (_, n) => `Old 0${n + 1}`),
    "and 61 more",
  ]);
  await click(question.getByRole("button", { name: "Archive 69 flags" }));
  await expect(page.getByText("69 flags archived")).toBeVisible();
  expect(count()).toBeLessThanOrEqual(6);
  expect(changes).toEqual(["POST /api/v1/flags/bulk"]);
  await expect(bar(page)).toBeHidden();
  expect(await flagsOf(api, world, "&archived=true")).toHaveLength(69);
  expect(await recordsOf(api, world, "flag.archived")).toHaveLength(69);

  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("69 flags unarchived")).toBeVisible();
  expect(await flagsOf(api, world, "&archived=true")).toEqual([]);
  expect(changes).toHaveLength(2);
});

test("flags are selected by the keyboard and by a range, and turned on in production after a confirmation that names it", async ({
  page,
  world,
  api,
  signInAs,
}) => {
  const alpha = await newFlag(api, world, { name: "Alpha" });
  for (const name of ["Beta", "Delta", "Gamma"]) await newFlag(api, world, { name });
  await setStrategy(api, alpha, world.production, { enabled: true });
  await signInAs("DEVELOPER");
  await page.goto(listPath(world));
  await select(page, "Alpha").focus();
  await page.keyboard.press("Space");
  await expect(bar(page).getByRole("status")).toHaveText("1 flag selected");
  await select(page, "Delta").click({ modifiers: ["Shift"] });
  await expect(bar(page).getByRole("status")).toHaveText("3 flags selected");
  await expect(select(page, "Beta")).toBeChecked();
  await expect(select(page, "Gamma")).not.toBeChecked();
  await expectAccessible(page);

  await bar(page).getByRole("button", { name: "More" }).press("Enter");
  await page.getByRole("menuitem", { name: "Turn on in production" }).press("Enter");
  const question = page.getByRole("dialog", { name: "Turn on 3 flags in production?" });
  await expect(question).toContainText("production is a production environment.");
  await expect(question.getByRole("listitem")).toHaveText(["Alpha", "Beta", "Delta"]);
  await expectAccessible(page);
  await question.getByLabel("Reason").fill("Größe");
  await question.getByRole("button", { name: "Turn on in production" }).press("Enter");
  const toast = page.getByRole("alert").filter({ hasText: "turned on in production" });
  await expect(toast).toContainText("2 flags turned on in production · 1 was like that already");
  for (const name of ["Alpha", "Beta", "Delta"])
    await expect(page.getByRole("switch", { name: `${name} in production` })).toBeChecked();
  const records = await recordsOf(api, world, "strategy.updated");
  expect(records.slice(0, 2).map(({ reason }) => reason)).toEqual(["Größe", "Größe"]);

  await toast.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("switch", { name: "Beta in production" })).not.toBeChecked();
  await expect(page.getByRole("switch", { name: "Alpha in production" })).toBeChecked();
});

test("a tag is added to selected flags, and the dialog shows why other flags cannot be archived", async ({
  page,
  world,
  api,
  signInAs,
}) => {
  const base = await newFlag(api, world, { name: "Base" });
  await newFlag(api, world, { name: "Needs base", prerequisites: [{ flagKey: base.key }] });
  await newFlag(api, world, { name: "Other" });
  await signInAs("DEVELOPER");
  await page.goto(listPath(world));
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
  expect(await flagsOf(api, world, "&archived=true")).toEqual([]);
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(bar(page).getByRole("status")).toHaveText("2 flags selected");
  await bar(page).getByRole("button", { name: "Clear selection" }).click();
  await expect(bar(page)).toBeHidden();
});

test("a narrow screen selects flags, and what acts on them fits fingers", async ({
  page,
  world,
  api,
  signInAs,
}) => {
  await newFlag(api, world, { name: "Small" });
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAs("DEVELOPER");
  await page.goto(listPath(world));
  await select(page, "Small").check();
  await expect(bar(page)).toBeVisible();
  await expectAccessible(page);
  const overflow = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  expect(overflow).toBeLessThanOrEqual(0);
  expect(await smallTargets(page)).toEqual([]);
  await bar(page).getByRole("button", { name: "Archive" }).click();
  const question = page.getByRole("dialog");
  await expect(question.getByRole("button", { name: "Archive 1 flag" })).toBeVisible();
  expect(await smallTargets(page)).toEqual([]);
});
