import { describe, expect, it } from "vitest";
import type { Constraint } from "../../dashboard/src/shared/api/types.ts";
import { usedValues } from "../../dashboard/src/shared/constraints/used-values.ts";

const constraint = (changed: Partial<Constraint>): Constraint => ({
  field: "country",
  operator: "in",
  values: [],
  contextType: "string",
  ...changed,
});

describe("usedValues", () => {
  it("returns the values of other constraints on the field, the most used first, then in natural order", () => {
    const others = [
      constraint({ values: ["zone 10", "zone 9", "DE"] }),
      constraint({ operator: "notIn", values: ["DE", "DE"] }),
      constraint({ operator: "equals", values: ["zone 9"], inverted: true }),
      constraint({ field: "plan", values: ["free"] }),
    ];
    expect(usedValues(others)(constraint({}))).toEqual(["DE", "zone 9", "zone 10"]);
  });

  it("leaves out values of another context type", () => {
    const others = [constraint({ contextType: "semver", operator: "gte", values: ["1.2.3"] })];
    expect(usedValues(others)(constraint({}))).toEqual([]);
  });

  it("keeps whole values, and parts of texts for each operator, apart", () => {
    const others = [
      constraint({ values: ["DE"] }),
      constraint({ operator: "matches", values: ["^D"] }),
      constraint({ operator: "endsWith", values: ["E"] }),
    ];
    expect(usedValues(others)(constraint({ operator: "notEquals" }))).toEqual(["DE"]);
    expect(usedValues(others)(constraint({ operator: "matches", inverted: true }))).toEqual(["^D"]);
    expect(usedValues(others)(constraint({ operator: "contains" }))).toEqual([]);
  });

  it("returns nothing while the constraint has no field", () => {
    const others = [constraint({ field: "", values: ["a"] })];
    expect(usedValues(others)(constraint({ field: "" }))).toEqual([]);
  });

  it("counts the values of a field once, also while the values of the constraint change", () => {
    const usedValuesOf = usedValues([constraint({ values: ["DE"] })]);
    const values = usedValuesOf(constraint({}));
    expect(usedValuesOf(constraint({ operator: "notIn", values: ["A"] }))).toBe(values);
    expect(usedValuesOf(constraint({ field: "plan" }))).toEqual([]);
  });
});
