import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileRule, compileRules, evaluate } from "../src/evaluate.ts";
import type { ClientRule, Verdict } from "../src/rule.ts";
import { anyConstraint, anyContext, fittingContext, segment, soundRule } from "./arbitraries.ts";

/** Generates a rule that may be malformed in any way. */
const anyRule = fc.oneof(
  soundRule,
  fc.record(
    {
      key: fc.oneof(fc.string(), fc.anything()),
      enabled: fc.oneof(fc.boolean(), fc.anything()),
      activation: fc.oneof(
        fc.record(
          {
            rollOut: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.anything()),
            constraints: fc.oneof(fc.array(anyConstraint), fc.anything()),
            segments: fc.oneof(fc.array(fc.oneof(segment, fc.anything())), fc.anything()),
            stickiness: fc.oneof(fc.string(), fc.anything()),
          },
          { requiredKeys: [] },
        ),
        fc.anything(),
      ),
    },
    { requiredKeys: [] },
  ),
  fc.anything(),
);

function rolledOut(key: string, rollOut: number): ClientRule {
  return { key, name: key, enabled: true, activation: { rollOut, constraints: [], segments: [] } };
}

function verdictOf(rule: unknown, context: Readonly<Record<string, unknown>>): Verdict {
  return evaluate(compileRule(rule), context);
}

describe("evaluate", () => {
  test("returns FLAG_NOT_FOUND without a rule", () => {
    expect(evaluate(undefined, {})).toEqual({ enabled: false, reason: "FLAG_NOT_FOUND" });
  });

  test("never throws, whatever the rule and the context", () => {
    fc.assert(
      fc.property(anyRule, anyContext, (rule, context) => {
        expect(verdictOf(rule, context).enabled).toBeTypeOf("boolean");
      }),
      { numRuns: 1000 },
    );
  });

  test.each(["null", "1", '"text"', "true"])(
    "treats the context %s as an empty context",
    (json) => {
      const verdict = evaluate(compileRule(rolledOut("f", 50)), JSON.parse(json));
      expect(verdict.reason).toBe("TARGETING_KEY_MISSING");
    },
  );

  test("returns `enabled: false` when a field of the context throws as it is read", () => {
    const rule = rolledOut("f", 50);
    const context = {
      get targetingKey(): string {
        throw new Error("unreadable");
      },
    };
    expect(verdictOf(rule, context).enabled).toBe(false);
  });

  test("returns the same frozen object for two flags with the same result", () => {
    const verdict = verdictOf(rolledOut("f", 100), {});
    expect(Object.isFrozen(verdict)).toBe(true);
    expect(verdictOf(rolledOut("g", 100), {})).toBe(verdict);
  });

  test("returns the same result for the same rule and context", () => {
    fc.assert(
      fc.property(soundRule, fittingContext, (rule, context) => {
        const compiled = compileRule(rule);
        const first = evaluate(compiled, context);
        expect(evaluate(compiled, context)).toBe(first);
        expect(verdictOf(structuredClone(rule), context)).toBe(first);
      }),
    );
  });

  test("does not depend on the order of constraints and segments", () => {
    fc.assert(
      fc.property(soundRule, fittingContext, (rule, context) => {
        const { constraints, segments } = rule.activation;
        const reversed: ClientRule = {
          ...rule,
          activation: {
            ...rule.activation,
            constraints: constraints.toReversed(),
            segments: segments.toReversed().map((one) => ({
              name: one.name,
              constraints: one.constraints.toReversed(),
            })),
          },
        };
        expect(verdictOf(reversed, context)).toBe(verdictOf(rule, context));
      }),
    );
  });
});

describe("a roll-out", () => {
  const percentage = fc.double({ min: 0, max: 100, noNaN: true });

  test("keeps every id that is on when the percentage rises", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), percentage, percentage, (key, userId, a, b) => {
        fc.pre(userId !== "");
        const lower = verdictOf(rolledOut(key, Math.min(a, b)), { userId });
        const higher = verdictOf(rolledOut(key, Math.max(a, b)), { userId });
        expect(higher.enabled || !lower.enabled).toBe(true);
      }),
    );
  });

  test.each([1, 10, 33, 50, 99])(
    "of %d %% turns the flag on for that share of 40,000 ids",
    (rollOut) => {
      const total = 40_000;
      const rule = compileRule(rolledOut("share", rollOut));
      const ids = Array.from({ length: total }, (_, index) => `id-${index}`);
      const on = ids.filter((targetingKey) => evaluate(rule, { targetingKey }).enabled).length;
      const p = rollOut / 100;
      // The tolerance is four standard deviations of a binomial distribution.
      expect(Math.abs(on - total * p)).toBeLessThan(4 * Math.sqrt(total * p * (1 - p)));
    },
  );
});

describe("compileRules", () => {
  test("keeps a valid rule of a list with malformed rules", () => {
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 5 }), (others) => {
        const key = "the sound rule";
        const compiled = compileRules([...others, rolledOut(key, 100)]);
        expect(evaluate(compiled.get(key), {}).reason).toBe("STATIC");
      }),
    );
  });

  test("returns DISABLED for a rule that throws when it is read", () => {
    const unreadable = {
      key: "unreadable",
      get activation(): never {
        throw new Error("unreadable");
      },
    };
    const compiled = compileRules([unreadable]);
    expect(evaluate(compiled.get("unreadable"), {}).reason).toBe("DISABLED");
  });

  test("returns DISABLED for a malformed rule that has a key", () => {
    const broken = { key: "broken", name: "", enabled: true, activation: null };
    const compiled = compileRules([broken]);
    expect(evaluate(compiled.get("broken"), {}).reason).toBe("DISABLED");
  });
});
