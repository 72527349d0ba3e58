import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bucket, KeyHash } from "../src/bucket.ts";
import {
  compileConstraint,
  compileRule,
  compileRules,
  evaluate,
  evaluateRule,
} from "../src/evaluate.ts";
import { position } from "../src/position.ts";
import type { EvaluationContext } from "../src/rule.ts";
import {
  movedPositions,
  reweight,
  slotsOf,
  type StoredSlot,
  toSlots,
  type Weights,
} from "../src/slots.ts";
import { verdictJson } from "../src/verdict.ts";
import buckets from "../vectors/buckets.json" with { type: "json" };
import constraints from "../vectors/constraints.json" with { type: "json" };
import hashes from "../vectors/hashes.json" with { type: "json" };
import positions from "../vectors/positions.json" with { type: "json" };
import prerequisites from "../vectors/prerequisites.json" with { type: "json" };
import rules from "../vectors/rules.json" with { type: "json" };
import slots from "../vectors/slots.json" with { type: "json" };
import values from "../vectors/values.json" with { type: "json" };
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

interface FlagsVector {
  readonly name: string;
  readonly rules: readonly unknown[];
  readonly key: string;
  readonly context: EvaluationContext;
  readonly expected: unknown;
}

interface SlotsVector {
  readonly name: string;
  readonly steps: readonly {
    readonly weights: Weights;
    readonly stored: readonly StoredSlot[];
    readonly slots: unknown;
    readonly moves?: number;
  }[];
}

// Declares the constraints and rules of the test vectors as `unknown`, because some are malformed
// on purpose.
const constraintVectors: readonly ConstraintVector[] = constraints;
const verdictVectors: readonly VerdictVector[] = verdicts;

const flagsVectors: Readonly<Record<string, readonly FlagsVector[]>> = {
  "rules.json": rules,
  "values.json": values,
  "prerequisites.json": prerequisites,
};
const slotsVectors = slots as unknown as readonly SlotsVector[];

describe("bucket with the test vectors of buckets.json", () => {
  test.each(buckets)("places $flagKey:$id in bucket $bucket", (vector) => {
    expect(bucket(vector.flagKey, vector.id)).toBe(vector.bucket);
  });
});

describe("the test vectors of hashes.json and positions.json", () => {
  test.each(hashes)("give $key:$id with the seed $seed the hash $hash", (vector) => {
    expect(new KeyHash(vector.key, vector.seed).of(vector.id)).toBe(vector.hash);
  });

  test.each([...positions, ...hashes])(
    "give the hash $hash in $buckets buckets the position $position",
    (vector) => {
      expect(position(vector.hash, vector.buckets)).toBe(vector.position);
    },
  );
});

describe("a split with the test vectors of slots.json", () => {
  test.each(slotsVectors)("gets the expected slots after each change: $name", ({ steps }) => {
    let current: readonly StoredSlot[] | undefined;
    for (const step of steps) {
      const next = current === undefined ? slotsOf(step.weights) : reweight(current, step.weights);
      expect(next).toEqual(step.stored);
      expect(toSlots(next)).toEqual(step.slots);
      expect(current && movedPositions(current, next)).toBe(step.moves);
      current = next;
    }
  });
});

describe("the evaluator with the test vectors of constraints.json", () => {
  test.each(constraintVectors)(
    "returns the expected result: $name",
    ({ constraint, context, expected }) => {
      expect(compileConstraint(constraint)(context)).toBe(expected);
    },
  );
});

describe("the evaluator with the test vectors of verdicts.json", () => {
  test.each(verdictVectors)(
    "returns the expected verdict: $name",
    ({ rule, context, expected }) => {
      expect(evaluateRule(compileRule(rule), context)).toEqual(expected);
    },
  );
});

describe.each(Object.entries(flagsVectors))(
  "the evaluator, for the test vectors of %s,",
  (_, vectors) => {
    test.each(vectors)(
      "returns the expected verdict: $name",
      ({ rules: given, key, context, expected }) => {
        const verdict = evaluate(compileRules(given), key, context);
        expect(verdict).toEqual(expected);
        expect(JSON.parse(verdictJson(verdict))).toEqual(expected);
      },
    );
  },
);

const VECTORS = path.join(import.meta.dirname, "../vectors");

describe("the file of test vectors", () => {
  const files = readdirSync(VECTORS).filter((name) => name.endsWith(".json"));

  test.each(files)(
    "%s has one vector per line, so that a diff shows which vectors changed",
    (name) => {
      const text = readFileSync(path.join(VECTORS, name), "utf8");
      expect(text.startsWith("[\n") && text.endsWith("\n]\n")).toBe(true);
      const lines = text.slice(2, -3).split(",\n");
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(JSON.parse(text));
      expect(lines.filter((line) => line.includes("\n"))).toEqual([]);
    },
  );
});
