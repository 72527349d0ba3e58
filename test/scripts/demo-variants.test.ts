import { describe, expect, it } from "vitest";
import type { ClientRule } from "@feature-flags/evaluation/rule";
import { variantUsage } from "../../scripts/demo-variants.ts";

const everybody = { rollOut: 100, constraints: [], segments: [] };
const coloured = (more: object, activation: object = {}): ClientRule => ({
  key: "colour",
  name: "Colour",
  enabled: true,
  type: "string",
  variants: { blue: "#00f", grey: "#888", off: "" },
  activation: { ...everybody, serve: "blue", ...activation },
  ...more,
});

describe("the demo's usage of a flag with variants", () => {
  it("counts the variant that each customer of the instance gets: 600 times the served variant", () => {
    expect(variantUsage([coloured({})], 0)).toEqual({ colour: { t: 600, f: 0, v: { blue: 600 } } });
  });

  it("splits customers by weight, counts the off variant for the others, and gives each instance other customers", () => {
    const slots = [
      [0, 75_000, "blue"],
      [75_000, 100_000, "grey"],
    ];
    const rule = coloured({ offVariant: "off" }, { rollOut: 50, serve: undefined, slots });
    const [first, second] = [0, 1].map((instance) => variantUsage([rule], instance)["colour"]);
    const { blue = 0, grey = 0, off = 0 } = first?.v ?? {};
    expect([blue + grey, off]).toEqual([first?.t, first?.f]);
    expect(blue + grey + off).toBe(600);
    expect(Math.min(blue - grey, grey, off)).toBeGreaterThan(50);
    expect(second).not.toEqual(first);
  });

  it("contains no variants when the flag is off and has no off variant", () => {
    const rule = coloured({ enabled: false });
    expect(variantUsage([rule], 0)).toEqual({ colour: { t: 0, f: 600, v: {} } });
  });

  it("omits boolean flags, but evaluates them as prerequisites", () => {
    const shop: ClientRule = { key: "shop", name: "S", enabled: false, activation: everybody };
    const rule = coloured({ prerequisites: [{ flagKey: "shop" }] });
    expect(variantUsage([shop, rule], 0)).toEqual({ colour: { t: 0, f: 600, v: {} } });
  });
});
