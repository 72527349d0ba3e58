import { describe, expect, it } from "vitest";
import {
  environmentParts,
  flagParts,
  shareOf,
  type UsageParts,
} from "../../dashboard/src/shared/charts/usage-parts.ts";
import { type Counts, sumOf } from "../../dashboard/src/shared/charts/usage.ts";
import { t } from "./support/english.ts";

const flag = {
  valueType: "string" as const,
  variants: ["blue", "green", "red"].map((key) => ({ key, value: key })),
};

const counted = ({ all }: UsageParts, totals: Counts) =>
  all.map((part) => [part.label, part.count(totals), shareOf(part, totals)]);

describe("the usage of a flag", () => {
  it("has the served variants in the order of the flag, then removed variants, then the evaluations without a variant", () => {
    const totals = { t: 90, f: 30, variants: { gone: 12, red: 18, blue: 60 } };
    const parts = flagParts(t, flag, totals);
    expect(counted(parts, totals)).toEqual([
      ["blue", 60, 0.5],
      ["red", 18, 0.15],
      ["gone", 12, 0.1],
      ["No variant", 30, 0.25],
    ]);
    expect(parts.summarised.label).toBe("blue");
  });

  it("has no rest if every evaluation has a variant", () => {
    const totals = { t: 5, f: 0, variants: { constructor: 6 } };
    expect(counted(flagParts(t, flag, totals), totals)).toEqual([["constructor", 6, 6 / 5]]);
  });

  it("is on and off for a boolean flag, whatever variants were reported", () => {
    const totals = { t: 1, f: 3, variants: { on: 1 } };
    expect(counted(flagParts(t, { ...flag, valueType: "boolean" }, totals), totals)).toEqual([
      ["On", 1, 0.25],
      ["Off", 3, 0.75],
    ]);
  });

  it("is without a variant for a flag with variants while no SDK reports variants, not on and off", () => {
    const totals = { t: 1, f: 3 };
    expect(counted(flagParts(t, flag, totals), totals)).toEqual([["No variant", 4, 1]]);
  });
});

describe("the usage of an environment", () => {
  it("has shares of on and off for boolean flags only, and the evaluations of flags with variants without a share", () => {
    const totals = { t: 100, f: 20, boolean: { t: 5, f: 15 } };
    const parts = environmentParts(t, totals);
    expect(counted(parts, totals)).toEqual([
      ["On", 5, 0.25],
      ["Off", 15, 0.75],
      ["Flags with variants", 100, undefined],
    ]);
    expect(parts.isMixed).toBe(true);
  });

  it("has no part for a kind of flag without evaluations", () => {
    const booleans = { t: 1, f: 1, boolean: { t: 1, f: 1 } };
    const valued = { t: 1, f: 1, boolean: { t: 0, f: 0 } };
    const labels = (totals: Counts) => environmentParts(t, totals).all.map(({ label }) => label);
    expect(labels(booleans)).toEqual(["On", "Off"]);
    expect(labels(valued)).toEqual(["Flags with variants"]);
  });
});

it("sumOf adds up the counts, those by variant and those of boolean flags", () => {
  const boolean = { t: 1, f: 2 };
  expect(
    sumOf([
      { t: 1, f: 2, boolean, variants: { blue: 1, ["__proto__"]: 2 } },
      { t: 10, f: 20, boolean, variants: { blue: 5, constructor: 1 } },
    ]),
  ).toEqual({
    t: 11,
    f: 22,
    boolean: { t: 2, f: 4 },
    variants: { blue: 6, ["__proto__"]: 2, constructor: 1 },
  });
  expect(sumOf([{ t: 1, f: 2 }])).toEqual({ t: 1, f: 2 });
});
