import { expect, it } from "vitest";
import { variantParts } from "../../dashboard/src/shared/charts/usage-parts.ts";
import { t } from "./support/english.ts";

const usage = (on: number, off: number, variants?: Readonly<Record<string, number>>) => ({
  interval: "hour" as const,
  totals: { t: on, f: off, ...(variants && { variants }) },
  series: [],
});

const flag = {
  valueType: "string" as const,
  variants: ["blue", "green", "red"].map((key) => ({ key, value: key })),
};

const counted = (parts: ReturnType<typeof variantParts>, { totals }: ReturnType<typeof usage>) =>
  parts?.all.map(({ label, count }) => [label, count(totals)]);

it("usage by variant has the served variants in the order of the flag, then removed variants, then the evaluations without a variant", () => {
  const reported = usage(90, 30, { gone: 10, red: 20, blue: 60 });
  const parts = variantParts(t, flag, reported);
  expect(counted(parts, reported)).toEqual([
    ["blue", 60],
    ["red", 20],
    ["gone", 10],
    ["No variant", 30],
  ]);
  expect(parts?.summarised.label).toBe("blue");
});

it("usage by variant has no rest if every evaluation has a variant", () => {
  const reported = usage(5, 0, { constructor: 6 });
  expect(counted(variantParts(t, flag, reported), reported)).toEqual([["constructor", 6]]);
});

it("usage by variant is undefined for a boolean flag, and if no variants were reported", () => {
  expect(variantParts(t, { ...flag, valueType: "boolean" }, usage(1, 0, { on: 1 }))).toBe(
    undefined,
  );
  expect(variantParts(t, flag, usage(1, 0, {}))).toBe(undefined);
  expect(variantParts(t, flag, usage(1, 0))).toBe(undefined);
});
