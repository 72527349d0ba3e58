import type { Api, Schemas } from "./support/api.ts";
import { evaluate, playgroundPath, row, verdicts } from "./support/playground.ts";
import { isIn, setStrategy } from "./support/strategies.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { newFlag, newKey, type World } from "./support/world.ts";

const ANN = { userId: "ann", country: "DE" };

const LIMITS = { daily: 5, regions: Array.from({ length: 40 }, (_, n) => `region-${n}`) };

/**
 * Creates a string flag with three ordered rules and a weighted split, a JSON flag with a long
 * value, and a flag that requires both.
 */
async function fill(api: Api, world: World) {
  const set = (flag: Schemas["Flag"], strategy: Partial<Schemas["SetStrategy"]>) =>
    setStrategy(api, flag, world.development, { enabled: true, ...strategy });
  const button = await newFlag(api, world, {
    key: "button",
    name: "The button",
    valueType: "string",
    variants: [
      { key: "green", value: "#2f9e44" },
      { key: "blue", value: "#1971c2" },
    ],
  });
  await set(button, {
    rules: [
      { name: "Austria", constraints: [isIn("country", "AT")], serve: { variant: "blue" } },
      { exactPercentage: 0.001, serve: { variant: "blue" } },
      { percentage: 50, stickiness: "device", serve: { variant: "blue" } },
    ],
    serve: { weights: { green: 50, blue: 50 } },
  });
  const limits = await newFlag(api, world, {
    key: "limits",
    name: "The limits",
    valueType: "json",
    variants: [{ key: "full", value: LIMITS }],
  });
  await set(limits, { serve: { variant: "full" } });
  const dependent = await newFlag(api, world, {
    key: "dependent",
    name: "The dependent",
    prerequisites: [{ flagKey: "limits" }, { flagKey: "button", enabled: false }],
  });
  await set(dependent, {});
  return { button };
}

test("the playground shows values and variants, and says which rule or prerequisite decided", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const { button } = await fill(api, world);
  const key = await newKey(api, world.development, "FRONTEND");
  const evaluations = await evaluate(key, ANN);
  await openAs("VIEWER", playgroundPath(world, ANN));
  const served = evaluations["button"];
  await expect(row(page, "button")).toContainText(
    `${served?.variant}${JSON.stringify(served?.value)}`,
  );
  await expect(row(page, "button")).toContainText(/Last rule · Split: bucket [\d.]+ of 100/);
  await row(page, "button").click();
  const rules = verdicts(page).getByRole("list", { name: "Rules" }).locator("> li");
  await expect(rules).toHaveText([
    "Rule 1: Austria Not met: country is AT",
    /^Rule 2 Bucket [\d.]+ of 100, roll-out is 0.001%$/,
    "Rule 3 The context has no device for bucketing",
    /^Last rule Decides: Split: bucket .*Split: green 50% and blue 50%/,
  ]);
  await rules.nth(0).getByRole("button").click();
  await expect(rules.nth(0)).toContainText("The context has “DE”.");
  await expectAccessible(page);

  await row(page, "limits").click();
  const value = verdicts(page).getByRole("region", { name: "Value of “The limits”" });
  await expect(value).not.toContainText("region-39");
  await verdicts(page)
    .getByRole("button", { name: /Show all/ })
    .click();
  expect(JSON.parse(await value.innerText())).toEqual(LIMITS);

  await expect(row(page, "dependent")).toContainText("Not met: “The button” is off");
  await row(page, "dependent").click();
  await expect(verdicts(page)).toContainText("“The limits” is on met");
  await expect(verdicts(page)).toContainText("“The button” is off not met");
  await verdicts(page).getByRole("link", { name: "Open The button" }).click();
  await expect(page).toHaveURL(new RegExp(`/flags/${button.id}\\?environment=`));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The button");
});
