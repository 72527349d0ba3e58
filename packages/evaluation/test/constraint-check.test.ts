import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { constraintErrors } from "../src/constraint-check.ts";
import { NEVER, compileConstraint } from "../src/constraint.ts";
import { anyConstraint, soundConstraint } from "./arbitraries.ts";

function fieldsAtFault(constraint: unknown): string[] {
  return constraintErrors(constraint).map(({ field }) => field);
}

const base = { field: "f", operator: "in", values: ["x"], contextType: "string" };

describe("constraintErrors", () => {
  test("returns no error for a valid constraint, which the evaluator then accepts", () => {
    fc.assert(
      fc.property(soundConstraint(), (constraint) => {
        expect(constraintErrors(constraint)).toEqual([]);
        expect(compileConstraint(constraint)).not.toBe(NEVER);
      }),
    );
  });

  test("returns an error, apart from caseInsensitive, exactly when the evaluator rejects the constraint", () => {
    fc.assert(
      fc.property(anyConstraint, (constraint) => {
        const faults = fieldsAtFault(constraint).filter((field) => field !== "caseInsensitive");
        fc.pre(faults.length > 0 || fieldsAtFault(constraint).length === 0);
        expect(compileConstraint(constraint) === NEVER).toBe(faults.length > 0);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ["an operator that does not fit", { ...base, operator: "gt" }, ["operator"]],
    ["an unknown operator", { ...base, operator: "like" }, ["operator"]],
    ["an unknown type", { ...base, contextType: "text" }, ["contextType"]],
    [
      "an unknown operator and type",
      { ...base, operator: "like", contextType: "text" },
      ["contextType", "operator"],
    ],
    ["no values", { ...base, values: [] }, ["values"]],
    ["values that are no array", { ...base, values: "x" }, ["values"]],
    ["a value that is no string", { ...base, values: ["x", 1] }, ["values.1"]],
    ["a bad regex", { ...base, operator: "matches", values: ["a", "("] }, ["values.1"]],
    [
      "bad numbers",
      { ...base, contextType: "number", values: ["0x1", "1", ""] },
      ["values.0", "values.2"],
    ],
    ["a bad boolean", { ...base, contextType: "boolean", values: ["yes"] }, ["values.0"]],
    ["a bad date", { ...base, contextType: "date", values: ["2026-02-30"] }, ["values.0"]],
    ["a bad version", { ...base, contextType: "semver", values: ["v1.0.0"] }, ["values.0"]],
    ["a bad block", { ...base, contextType: "ip", values: ["10.0.0.0/33"] }, ["values.0"]],
    [
      "a block where only an address fits",
      { ...base, contextType: "ip", operator: "equals", values: ["10.0.0.0/8"] },
      ["values.0"],
    ],
    ["no field", { ...base, field: "" }, ["field"]],
    ["a flag that is no boolean", { ...base, inverted: "yes" }, ["inverted"]],
    [
      "caseInsensitive on another type",
      { ...base, contextType: "number", values: ["1"], caseInsensitive: true },
      ["caseInsensitive"],
    ],
    ["null", null, [""]],
    ["nothing", {}, ["field", "contextType", "operator", "values"]],
  ])("names the field for %s", (_, constraint, expected) => {
    expect(fieldsAtFault(constraint)).toEqual(expected);
  });

  test("accepts the operator notExists without values", () => {
    expect(constraintErrors({ ...base, operator: "notExists", values: [] })).toEqual([]);
  });
});
