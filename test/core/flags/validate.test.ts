import { describe, expect, it } from "vitest";
import { prerequisiteErrors, valueErrors } from "../../../src/core/flags/validate.ts";
import { BOOLEAN_VARIANTS, type FlagValues } from "../../../src/core/flags/variants.ts";

const values = (more: Partial<FlagValues>): FlagValues => ({
  valueType: "json",
  variants: [{ key: "a", value: 1 }],
  offVariant: null,
  valueSchema: null,
  ...more,
});
const fieldsOf = (more: Partial<FlagValues>) => valueErrors(values(more)).map(({ field }) => field);
const of = (...list: unknown[]) => list.map((value, n) => ({ key: `k${n}`, value }));

describe("the values of a flag", () => {
  it("have no errors when they are sound, for each type", () => {
    const boolean = {
      valueType: "boolean",
      variants: BOOLEAN_VARIANTS,
      offVariant: "off",
    } as const;
    expect(fieldsOf(boolean)).toEqual([]);
    expect(fieldsOf({ valueType: "string", variants: of("", "🧀") })).toEqual([]);
    expect(fieldsOf({ valueType: "number", variants: of(0, -1.5, 1e300) })).toEqual([]);
    expect(fieldsOf({ variants: of(null, false, [{}]), offVariant: "k2" })).toEqual([]);
  });

  it("have a field error for each fault at once", () => {
    const variants = [...of(1, Infinity, ["\ud800"], { "\ud800": 1 }), { key: "k0", value: 2 }];
    expect(fieldsOf({ variants, offVariant: "none", valueSchema: { type: "x" } })).toEqual([
      "variants.1.value",
      "variants.2.value",
      "variants.3.value",
      "variants.4.key",
      "valueSchema",
      "offVariant",
    ]);
  });

  it("have errors that name the place inside a value", () => {
    const [error] = valueErrors(values({ variants: of({ "a/b": [0, [NaN]] }) }));
    expect(error?.message).toBe("/a~1b/1/0 must be a finite number");
  });

  it("are limited by their size in bytes of UTF-8", () => {
    const cheese = "🧀".repeat(16_383);
    expect(fieldsOf({ variants: of(`${cheese}xx`) })).toEqual([]);
    expect(fieldsOf({ variants: of(`${cheese}xxx`) })).toEqual(["variants.0.value"]);
  });

  it("are not checked by the schema while they have errors of their own", () => {
    const variants = of("a", 1);
    expect(fieldsOf({ valueType: "string", variants, valueSchema: { maxLength: 0 } })).toEqual([
      "variants.1.value",
    ]);
  });
});

describe("the prerequisites of a flag", () => {
  it("have an error when they name the flag itself, or the same flag twice", () => {
    const list = ["b", "a", "b"].map((flagKey) => ({ flagKey, enabled: true }));
    expect(prerequisiteErrors("a", list).map(({ field }) => field)).toEqual([
      "prerequisites.1.flagKey",
      "prerequisites.2.flagKey",
    ]);
    expect(prerequisiteErrors("c", list.slice(0, 2))).toEqual([]);
  });
});
