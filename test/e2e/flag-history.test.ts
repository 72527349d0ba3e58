import type { Api, Schemas } from "./support/api.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { newFlag, type World } from "./support/world.ts";

const rule = (country: string) => ({
  name: `From ${country}`,
  constraints: [
    {
      field: "country",
      operator: "in" as const,
      values: [country],
      contextType: "string" as const,
    },
  ],
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
    api.put<Schemas["Strategy"]>(`/api/v1/flags/${flag.id}/strategies`, {
      environmentId: world.production.id,
      ...strategy,
    });
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
  signInAs,
  consoleErrors,
}) => {
  const flag = await changedFlag(api, world);
  await signInAs("VIEWER");
  await page.goto(`/projects/${world.project.id}/flags/${flag.id}`);
  const history = page.getByRole("region", { name: "History" });
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
  expect(consoleErrors).toEqual([]);
});
