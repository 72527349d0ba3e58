import { expect, it } from "vitest";
import { variantColors } from "../../dashboard/src/shared/flags/variant-colors.ts";

const flag = (count: number) => Array.from({ length: count }, (_, n) => ({ key: `v${n}` }));

it("the first eight variants of a flag have different colours, and further variants repeat them", () => {
  const color = variantColors(flag(9));
  const colors = flag(8).map(({ key }) => color(key));
  expect(new Set(colors).size).toBe(8);
  expect(color("v8")).toBe(color("v0"));
});

it("the variant off, and a variant that the flag does not have, are grey", () => {
  const color = variantColors([
    { key: "on", value: true },
    { key: "off", value: false },
  ]);
  expect(color("off")).toContain("gray");
  expect(color("removed")).toBe(color("off"));
  expect(color("on")).toBe(variantColors(flag(1))("v0"));
});
