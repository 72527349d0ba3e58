import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
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

// The constraints and rules of the vectors are `unknown`, because some are malformed on purpose.
const constraintVectors: readonly ConstraintVector[] = constraints;
const verdictVectors: readonly VerdictVector[] = verdicts;

describe("bucket, for the vectors of buckets.json,", () => {
  test.each(buckets)("places $flagKey:$id in bucket $bucket", (vector) => {
    expect(bucket(vector.flagKey, vector.id)).toBe(vector.bucket);
  });
});

describe("the evaluator, for the vectors of constraints.json,", () => {
  test.each(constraintVectors)(
    "returns the expected result: $name",
    ({ constraint, context, expected }) => {
      expect(compileConstraint(constraint)(context)).toBe(expected);
    },
  );
});

describe("the evaluator, for the vectors of verdicts.json,", () => {
  test.each(verdictVectors)(
    "returns the expected verdict: $name",
    ({ rule, context, expected }) => {
      expect(evaluate(compileRule(rule), context)).toEqual(expected);
    },
  );
});

const VECTORS = path.join(import.meta.dirname, "../vectors");

describe("the file of vectors", () => {
  const files = readdirSync(VECTORS).filter((name) => name.endsWith(".json"));

  test.each(files)(
    "%s has one vector per line, so that a diff shows the vectors that change",
    (name) => {
      const text = readFileSync(path.join(VECTORS, name), "utf8");
      expect(text.startsWith("[\n") && text.endsWith("\n]\n")).toBe(true);
      const lines = text.slice(2, -3).split(",\n");
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(JSON.parse(text));
      expect(lines.filter((line) => line.includes("\n"))).toEqual([]);
    },
  );
});
