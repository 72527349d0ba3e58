import { setStrategy, strategyIn } from "./support/strategies.ts";
import { contextOptions, expect, expectAccessible, storeSession, test } from "./support/test.ts";
import { flagPath, listPath, newFlag } from "./support/world.ts";

const PHONE = { width: 390, height: 844 };

test("an administrator protects an environment, and a change there is proposed, rebased, approved by somebody else, and applied", async ({
  page,
  browser,
  api,
  world,
  openAs,
}) => {
  const { project, production } = world;
  const flag = await newFlag(api, world);
  await setStrategy(api, flag, production, { enabled: true, percentage: 25 });
  const second = await newFlag(api, world);
  await setStrategy(api, second, production, { enabled: true });
  const other = await browser.newPage(contextOptions());
  await storeSession(other, api);
  await other.goto(`/projects/${project.id}/environments`);
  const protection = other.getByRole("dialog", { name: "Protection of production" });
  await other.getByRole("button", { name: "Protection of production" }).click();
  await protection.getByRole("textbox", { name: "Required approvals" }).fill("1");
  await protection.getByRole("button", { name: "Save" }).click();
  await expect(other.getByText("Protection of production saved")).toBeVisible();
  const rows = other.getByRole("row");
  await expect(rows.filter({ hasText: "production" })).toContainText("Protected: 1 approval");
  await expect(rows.filter({ hasText: "development" })).toContainText("Not protected");
  await other.getByRole("button", { name: "Protection of production" }).click();
  await protection.getByRole("textbox", { name: "Required approvals" }).fill("0");
  await protection.getByRole("button", { name: "Save" }).click();
  await expect(protection.getByRole("alert")).toContainText("A weaker protection needs a reason");

  await openAs("DEVELOPER", flagPath(world, flag, production));
  const form = page.getByRole("region", { name: "production", exact: true });
  await expect(page.getByRole("img", { name: "Protected: 1 approval" })).toHaveCount(1);
  await form.getByRole("textbox", { name: "Roll-out" }).fill("50");
  await form.getByRole("button", { name: "Propose change" }).click();
  const proposal = page.getByRole("dialog", { name: "Propose the change in production?" });
  await expect(proposal.getByRole("button", { name: "Propose change" })).toBeDisabled();
  await proposal.getByRole("textbox", { name: "Reason" }).fill("Half of the users");
  await proposal.getByRole("button", { name: "Propose change" }).click();
  await expect(page.getByText("Change proposed")).toBeVisible();
  await form.getByRole("textbox", { name: "Roll-out" }).fill("60");
  await form.getByRole("button", { name: "Other options" }).click();
  await expect(page.getByRole("menuitem", { name: "Bypass approval" })).toHaveCount(0);
  await page.getByRole("menuitem", { name: "Add to a request" }).click();
  const adding = page.getByRole("dialog", { name: "Add to a change request" });
  await expect(adding.getByText("The request already changes this flag here.")).toBeVisible();
  await adding.getByRole("button", { name: "Add" }).click();
  await page
    .getByRole("alert")
    .filter({ hasText: "Added to the change request" })
    .getByRole("button", { name: "Show change request" })
    .click();
  await expect(page.getByRole("heading", { level: 1, name: "Half of the users" })).toBeVisible();
  await expect(page.getByText("0 of 1 approval")).toBeVisible();
  await expect(page.getByRole("button", { name: "Close request" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Approve" })).toHaveCount(0);
  await page.getByRole("combobox", { name: "Ask somebody to review" }).fill("admin");
  await page.getByRole("option", { name: "admin", exact: true }).click();
  await expect(page.getByText("admin was asked to review")).toBeVisible();
  const facts = page.getByRole("complementary", { name: "Facts" });
  await expect(facts).toContainText("adminwaiting");

  await setStrategy(api, flag, production, { enabled: false });
  await page.setViewportSize(PHONE);
  await page.reload();
  const state = page.getByRole("group", { name: "state" });
  await expectAccessible(page);
  await expect(state.getByRole("definition")).toHaveText(["On", "Off", "On"]);
  await page.getByRole("button", { name: "Rebase" }).click();
  await expect(page.getByText("Rebased on the current state")).toBeVisible();

  await other.setViewportSize(PHONE);
  await other.goto(`/projects/${project.id}/change-requests`);
  await expect(other.getByRole("tab", { name: "To review 1" })).toBeVisible();
  await other.getByRole("button", { name: "Open menu" }).click();
  await expect(other.getByRole("link", { name: "Change requests 1 to review" })).toBeVisible();
  await other.keyboard.press("Escape");
  await expect(other.getByText("You were asked")).toBeVisible();
  await other.getByRole("link", { name: "Half of the users" }).click();
  await expect(other.getByRole("article")).toContainText("25%");
  await expect(other.getByText("0 of 1 approval")).toBeVisible();
  await other.keyboard.press("a");
  const review = other.getByRole("dialog", { name: "Approve “Half of the users”?" });
  await review.getByRole("textbox", { name: "Comment (optional)" }).fill("Looks right");
  await review.getByRole("button", { name: "Approve" }).click();
  await expect(other.getByText("1 of 1 approval")).toBeVisible();
  await expect(other.getByText("Looks right")).toBeVisible();
  await other.getByRole("button", { name: "Open menu" }).click();
  await expect(other.getByRole("link", { name: "Change requests", exact: true })).toBeVisible();
  await other.keyboard.press("Escape");

  await page.reload();
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("Change request applied")).toBeVisible();
  expect(await strategyIn(api, flag, production)).toMatchObject({ enabled: false, percentage: 60 });

  await page.getByRole("link", { name: `Targeting of ${flag.name}` }).click();
  await expect(form.getByRole("textbox", { name: "Roll-out" })).toHaveValue("60%");
  await page.getByRole("switch", { name: `${flag.name} in production` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Turn on" }).click();
  await proposal.getByRole("button", { name: "Cancel" }).click();

  await page.setViewportSize({ width: 1440, height: 900 });
  // Archives two flags, of which one is on in production.
  await page.goto(listPath(world));
  for (const { name } of [flag, second])
    await page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).check();
  await page.getByRole("toolbar").getByRole("button", { name: "Archive" }).click();
  await page.getByRole("button", { name: "Archive 2 flags" }).click();
  await proposal.getByRole("textbox", { name: "Reason" }).fill("Nobody needs them");
  await proposal.getByRole("button", { name: "Propose change" }).click();
  await page.getByRole("button", { name: "Show change request" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Nobody needs them" })).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(2);

  await page.goto(`/projects/${project.id}/audit`);
  await page
    .getByRole("button", { name: /^Revert: / })
    .first()
    .click();
  await page.getByRole("button", { name: "Revert in production" }).click();
  await proposal.getByRole("textbox", { name: "Reason" }).fill("It was a mistake");
  await proposal.getByRole("button", { name: "Propose change" }).click();
  await expect(page.getByText("Change proposed")).toBeVisible();

  await other.goto(flagPath(world, second, production));
  const panel = other.getByRole("region", { name: "production", exact: true });
  await panel.getByRole("textbox", { name: "Roll-out" }).fill("10");
  await panel.getByRole("button", { name: "Other options" }).click();
  await other.getByRole("menuitem", { name: "Bypass approval" }).click();
  const bypass = other.getByRole("dialog", { name: "Change production without an approval?" });
  await bypass.getByRole("textbox", { name: "Reason" }).fill("An incident");
  await bypass.getByRole("button", { name: "Bypass approval" }).click();
  await expect(other.getByText("Saved in production.")).toBeVisible();
  expect(await strategyIn(api, second, production)).toMatchObject({ percentage: 10 });
  await other.close();
});
