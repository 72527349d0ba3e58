import { describe, expect, test } from "vitest";
import { bucket } from "../src/bucket.ts";
import { compileConstraint } from "../src/constraint.ts";
import { compileRule, evaluate } from "../src/evaluate.ts";
import type { EvaluationContext } from "../src/rule.ts";
import buckets from "../vectors/buckets.json" with { type: "json" };
import constraints from "../vectors/constraints.json" with { type: "json" };
import verdicts from "../vectors/verdicts.json" with { type: "json" };

interface ConstraintVector {
  readonly name: string;
  readonly constraint: unknown;
  readonly context: EvaluationContext;
  readonly expected: boolean;
}

interface VerdictVector {
  readonly name: string;
  readonly rule: unknown;
  readonly context: EvaluationContext;
  readonly expected: { readonly enabled: boolean; readonly reason: string };
}

// Some are malformed on purpose, so a constraint and a rule have no type here.
const constraintVectors: readonly ConstraintVector[] = constraints;
const verdictVectors: readonly VerdictVector[] = verdicts;

describe("buckets.json", () => {
  test.each(buckets)("$flagKey:$id is in bucket $bucket", (vector) => {
    expect(bucket(vector.flagKey, vector.id)).toBe(vector.bucket);
  });
});

describe("constraints.json", () => {
  test.each(constraintVectors)("$name", ({ constraint, context, expected }) => {
    expect(compileConstraint(constraint)(context)).toBe(expected);
  });
});

describe("verdicts.json", () => {
  test.each(verdictVectors)("$name", ({ rule, context, expected }) => {
    expect(evaluate(compileRule(rule), context)).toEqual(expected);
  });
});
