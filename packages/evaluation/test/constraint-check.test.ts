import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { constraintErrors, isRegexSizeAllowed } from "../src/constraint-check.ts";
import { NEVER } from "../src/constraint.ts";
import { compileConstraint } from "../src/evaluate.ts";
import { anyConstraint, soundConstraint } from "./arbitraries.ts";

function fieldsAtFault(constraint: unknown): string[] {
  return constraintErrors(constraint).map(({ field }) => field);
}

const base = { field: "f", operator: "in", values: ["x"], contextType: "string" };

describe("constraintErrors", () => {
  test("returns no error for a valid constraint, and the evaluator accepts the constraint", () => {
    fc.assert(
      fc.property(soundConstraint(), (constraint) => {
        expect(constraintErrors(constraint)).toEqual([]);
        expect(compileConstraint(constraint)).not.toBe(NEVER);
      }),
    );
  });

  test("reports an error exactly for the constraints that the evaluator treats as malformed, apart from errors about caseInsensitive", () => {
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
  ])("names the invalid field for %s", (_, constraint, expected) => {
    expect(fieldsAtFault(constraint)).toEqual(expected);
  });

  test("accepts the operator notExists without values", () => {
    expect(constraintErrors({ ...base, operator: "notExists", values: [] })).toEqual([]);
  });

  const matching = (...values: string[]) => ({ ...base, operator: "matches", values });

  test.each([
    ["20 regular expressions", matching(...Array.from({ length: 20 }, String)), []],
    ["21 regular expressions", matching(...Array.from({ length: 21 }, String)), ["values"]],
    ["one of 256 characters", matching("a".repeat(256)), []],
    ["one of 257 characters", matching("a", "b".repeat(257)), ["values.1"]],
    ["one that compiles to many instructions", matching("a", "\\pL{1000}"), ["values.1"]],
    [
      "several that compile to many instructions together",
      matching("a{900}", "b{900}", "c{900}", "d"),
      ["values.2"],
    ],
    [
      "one that is broken and one that is too long",
      matching("(", "(".repeat(257)),
      ["values.1", "values.0"],
    ],
  ])("limits regular expressions: %s", (_, constraint, expected) => {
    expect(fieldsAtFault(constraint)).toEqual(expected);
  });

  test("names the limit that a regular expression exceeds", () => {
    const limits = [
      matching(...Array.from({ length: 21 }, String)),
      matching("b".repeat(257)),
      matching("\\pL{1000}"),
      matching("("),
    ].map((constraint) => constraintErrors(constraint).map(({ limit }) => limit));
    expect(limits).toEqual([["count"], ["length"], ["size"], [undefined]]);
  });

  test("does not limit the values of other operators as regular expressions", () => {
    const values = [...Array.from({ length: 1000 }, String), "\\pL{1000}", "x".repeat(512)];
    expect(constraintErrors({ ...base, values })).toEqual([]);
  });
});

describe("isRegexSizeAllowed", () => {
  const large = { ...base, operator: "matches", values: ["a{900}", "b{900}"] };

  test("returns false when the regular expressions of all constraints together are too large", () => {
    expect(isRegexSizeAllowed([large])).toBe(true);
    expect(isRegexSizeAllowed([large, large])).toBe(false);
  });

  test.each([undefined, "x", [null, 1, { values: 3 }], [{ ...large, operator: "in" }]])(
    "is true for anything without regular expressions: %j",
    (constraints) => {
      expect(isRegexSizeAllowed(constraints)).toBe(true);
    },
  );
});
