import type { Api, Schemas } from "./support/api.ts";
import { follow } from "./support/pages.ts";
import { isIn, setStrategy } from "./support/strategies.ts";
import { expect, expectAccessible, holdStream, test } from "./support/test.ts";
import { keyboardUser } from "./support/user.ts";
import { newFlag, type World } from "./support/world.ts";

const rule = (country: string) => ({
  name: `From ${country}`,
  constraints: [isIn("country", country)],
  serve: { variant: "bold" },
});

/** Creates a JSON flag, and changes its variants, then its split, and then its rules. */
async function changedFlag(api: Api, world: World): Promise<Schemas["Flag"]> {
  const theme = (color: string) => ({ color, fonts: Array.from({ length: 50 }, (_, n) => n) });
  const bold = { key: "bold", value: { color: "#f00" } };
  const flag = await newFlag(api, world, {
    valueType: "json",
    variants: [{ key: "classic", value: theme("#fff") }, bold, { key: "old", value: 1 }],
  });
  await api.put(`/api/v1/flags/${flag.id}`, {
    variants: [{ key: "classic", value: theme("#000") }, bold, { key: "large", value: [2] }],
  });
  const set = (strategy: Partial<Schemas["SetStrategy"]>) =>
    setStrategy(api, flag, world.production, strategy);
  await set({ serve: { weights: { classic: 34, bold: 33, large: 33 } } });
  await set({ serve: { weights: { classic: 50, bold: 25, large: 25 } } });
  const { rules } = await set({ rules: [rule("AT"), rule("DE"), rule("FR")] });
  const [austria = "", germany = ""] = rules.map(({ id }) => id);
  await set({
    rules: [
      { ...rule("DE"), id: germany, exactPercentage: 12.5 },
      { ...rule("AT"), id: austria },
    ],
  });
  return flag;
}

test("a viewer reads changes of variants, splits and rules in the history as differences", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const flag = await changedFlag(api, world);
  await openAs("VIEWER", `/projects/${world.project.id}/flags/${flag.id}?tab=history`);
  const history = page.getByRole("tabpanel", { name: "History" });
  await expect(history.getByRole("listitem").first()).toBeVisible();
  await expect(history.getByRole("button", { name: /^Revert/ })).toHaveCount(0);
  const open = async (text: string) => {
    const record = history.locator("ol").first().locator("> li").filter({ hasText: text });
    await record.getByRole("button", { name: /^Details/ }).click();
    return record;
  };

  const variants = await open(
    "Variant large added, variant old removed, and value of classic changed",
  );
  await expect(variants.getByRole("deletion")).toHaveText([/"color": "#fff"/, /old 1$/]);
  await expect(variants.getByRole("insertion")).toHaveText([/"color": "#000"/, /large \[2\]$/]);

  const split = await open("Split changed: classic 34% → 50%, bold 33% → 25%, and large 33% → 25%");
  await expect(split.getByRole("listitem")).toHaveText([
    "classic 34% → 50%",
    "bold 33% → 25%",
    "large 33% → 25%",
  ]);

  const rules = await open(
    "Rule “From FR” removed, rule “From DE” moved, and rule “From DE”: roll-out changed from 100% to 12.5%",
  );
  await expect(rules).toContainText("moved from position 2 to 1");
  await expect(rules.getByRole("deletion")).toHaveText([
    /100%/,
    /rule “From FR” Users where country is FR get bold/,
  ]);
  await expect(rules.getByRole("insertion")).toHaveText([/12\.5%/]);
  await expectAccessible(page);
});

test("a developer with the keyboard alone reverts changes of a strategy and of a segment from the history", async ({
  page,
  api,
  world,
  signInAs,
}) => {
  const { project, production } = world;
  const flag = await newFlag(api, world);
  const segment = await api.post<Schemas["Segment"]>("/api/v1/segments", {
    name: "Beta testers",
    projectId: project.id,
  });
  const set = (strategy: Partial<Schemas["SetStrategy"]>) =>
    setStrategy(api, flag, production, strategy);
  await set({ segmentIds: [segment.id], percentage: 5 });
  await set({ segmentIds: [], percentage: 10 });
  await set({ percentage: 80, enabled: true });
  await signInAs("DEVELOPER");
  // Otherwise the page could load the change of somebody else before the revert.
  await holdStream(page);
  await page.goto(`/projects/${project.id}/flags/${flag.id}?tab=history`);
  const dialog = page.getByRole("dialog");
  const user = keyboardUser(page);
  const revert = (text: RegExp) => user.activate(page.getByRole("button", { name: text }));

  await revert(/^Revert: .*roll-out changed from 10% to 80%/i);
  await expect(dialog).toContainText("Production environment");
  const difference = dialog.getByRole("region", { name: "Difference between now and then" });
  await expect(difference.getByRole("deletion")).toHaveText([/On$/, /80%$/]);
  await expect(difference.getByRole("insertion")).toHaveText([/Off$/, /10%$/]);
  await expectAccessible(page);
  await user.write(dialog.getByLabel(/^Reason/), "Too many errors");
  await set({ percentage: 70 });
  const confirm = dialog.getByRole("button", { name: "Revert in production" });
  await user.activate(confirm);
  await expect(dialog.getByRole("alert")).toContainText("Someone else changed this meanwhile");
  await expect(difference.getByRole("deletion")).toHaveText([/On$/, /70%$/]);
  await user.activate(confirm);
  await page.getByRole("button", { name: "Show in audit log" }).click();
  const newest = page.getByRole("listitem").filter({ hasText: "Reverts an earlier change" });
  await expect(newest).toContainText("Too many errors");

  await api.put(`/api/v1/segments/${segment.id}`, { name: "Renamed" });
  await follow(page, `/projects/${project.id}/segments/${segment.id}`);
  await revert(/^Revert: Renamed from/);
  await user.activate(dialog.getByRole("button", { name: "Revert", exact: true }));
  await expect(page.getByText("Change reverted")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Beta testers" })).toBeVisible();

  await api.delete(`/api/v1/segments/${segment.id}`);
  await follow(page, `/projects/${project.id}/flags/${flag.id}?tab=history`);
  await revert(/^Revert: .*5% to 10%/);
  await expect(dialog.getByRole("alert")).toContainText(
    "The earlier state uses segments that no longer exist: Beta testers",
  );
  await expect(confirm).toBeDisabled();
});
