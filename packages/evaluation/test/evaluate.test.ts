import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileRule, compileRules, evaluateRule } from "../src/evaluate.ts";
import type { ClientRule, Verdict } from "../src/rule.ts";
import { ValueTexts, verdictJson } from "../src/verdict.ts";
import { anyConstraint, anyContext, fittingContext, segment, soundRule } from "./arbitraries.ts";

const soundOrderedRule = soundRule.map(({ activation }) => Object.assign({ id: "r" }, activation));

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
            exactRollOut: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.anything()),
            serve: fc.oneof(fc.constantFrom("on", "v"), fc.anything()),
            slots: fc.oneof(fc.constant([[0, 100_000, "v"]]), fc.array(fc.anything())),
            splitStickiness: fc.anything(),
          },
          { requiredKeys: [] },
        ),
        fc.anything(),
      ),
      type: fc.oneof(fc.constantFrom("boolean", "json"), fc.anything()),
      variants: fc.oneof(fc.dictionary(fc.constantFrom("on", "v"), fc.anything()), fc.anything()),
      offVariant: fc.oneof(fc.constantFrom("on", "v", null), fc.anything()),
      rules: fc.oneof(fc.array(fc.oneof(soundOrderedRule, fc.anything())), fc.anything()),
      prerequisites: fc.oneof(
        fc.array(fc.oneof(fc.constant({ flagKey: "f" }), fc.anything())),
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
  return evaluateRule(compileRule(rule), context);
}

describe("evaluate", () => {
  test("returns FLAG_NOT_FOUND without a rule", () => {
    expect(evaluateRule(undefined, {})).toEqual({ enabled: false, reason: "FLAG_NOT_FOUND" });
  });

  test("never throws, for random rules and contexts", () => {
    fc.assert(
      fc.property(anyRule, anyContext, (rule, context) => {
        expect(verdictOf(rule, context).enabled).toBeTypeOf("boolean");
        const rules = compileRules([rule, rolledOut("f", 100)]);
        for (const one of rules.values())
          expect(evaluateRule(one, context).enabled).toBeTypeOf("boolean");
      }),
      { numRuns: 1000 },
    );
  });

  test.each(["null", "1", '"text"', "true"])(
    "treats the context %s as an empty context",
    (json) => {
      const verdict = evaluateRule(compileRule(rolledOut("f", 50)), JSON.parse(json));
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

  test("returns the same frozen object for two boolean flags with the same result", () => {
    const verdict = verdictOf(rolledOut("f", 100), {});
    expect(Object.isFrozen(verdict)).toBe(true);
    expect(verdictOf(rolledOut("g", 100), {})).toBe(verdict);
  });

  test("returns the same result for the same rule and context", () => {
    fc.assert(
      fc.property(soundRule, fittingContext, (rule, context) => {
        const compiled = compileRule(rule);
        const first = evaluateRule(compiled, context);
        expect(evaluateRule(compiled, context)).toBe(first);
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

describe("a flag with values", () => {
  const flag: ClientRule = {
    ...rolledOut("f", 50),
    activation: { rollOut: 50, constraints: [], segments: [], serve: "v" },
    type: "json",
    variants: { v: { size: 12 } },
  };

  test("has the same `enabled` and `reason` as a plain flag with the same conditions", () => {
    fc.assert(
      fc.property(soundRule, fittingContext, (rule, context) => {
        const { enabled, reason } = verdictOf(rule, context);
        const valued = { ...rule, activation: { ...rule.activation, serve: "on" } };
        const variant = enabled ? "on" : "off";
        expect(verdictOf(valued, context)).toEqual({ enabled, reason, variant, value: enabled });
      }),
      { numRuns: 1000 },
    );
  });

  test("returns the same frozen object for each evaluation with the same rule and variant", () => {
    const compiled = compileRule(flag);
    const ids = Array.from({ length: 100 }, (_, index) => String(index));
    const verdicts = new Set(ids.map((targetingKey) => evaluateRule(compiled, { targetingKey })));
    expect(verdicts.size).toBe(2);
    expect([...verdicts].every((verdict) => Object.isFrozen(verdict))).toBe(true);
  });

  test("serialises each value once, when the rule is compiled", () => {
    let count = 0;
    const value = {
      toJSON: () => {
        count++;
        return "text";
      },
    };
    const rules = ["r1", "r2"].map((id) => Object.assign({ id }, flag.activation, { rollOut: 0 }));
    const compiled = compileRule({ ...flag, variants: { v: value }, rules });
    const ids = Array.from({ length: 100 }, (_, index) => String(index));
    const texts = new Set(ids.map((userId) => verdictJson(evaluateRule(compiled, { userId }))));
    expect([...texts].toSorted()).toEqual([
      '{"enabled":false,"reason":"SPLIT"}',
      '{"enabled":true,"reason":"SPLIT","variant":"v","value":"text"}',
    ]);
    expect(count).toBe(1);
  });

  test("has the same JSON when compiled with value texts, and its verdicts then have no value", () => {
    const valueTexts = new ValueTexts();
    const compiled = compileRule(flag, { valueTexts });
    for (const userId of ["1", "2", "3", "4"]) {
      const verdict = evaluateRule(compiled, { userId });
      expect(verdict.value).toBeUndefined();
      expect(verdictJson(verdict)).toBe(verdictJson(verdictOf(flag, { userId })));
    }
    expect(valueTexts.length).toBe('{"size":12}'.length);
  });

  test("keeps the variant of every id that has one when the exact percentage rises", () => {
    const percent = fc.integer({ min: 0, max: 100_000 }).map((limit) => limit / 1000);
    fc.assert(
      fc.property(percent, percent, fc.string({ minLength: 1 }), (a, b, userId) => {
        const at = (exactRollOut: number) =>
          verdictOf({ ...flag, activation: { ...flag.activation, exactRollOut } }, { userId });
        const [lower, higher] = [at(Math.min(a, b)), at(Math.max(a, b))];
        expect(higher.enabled || !lower.enabled).toBe(true);
      }),
    );
  });
});

describe("a roll-out", () => {
  const percentage = fc.double({ min: 0, max: 100, noNaN: true });

  test("keeps every id that it includes when the percentage rises", () => {
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
      const on = ids.filter((targetingKey) => evaluateRule(rule, { targetingKey }).enabled).length;
      const p = rollOut / 100;
      // Allows four standard deviations of a binomial distribution.
      expect(Math.abs(on - total * p)).toBeLessThan(4 * Math.sqrt(total * p * (1 - p)));
    },
  );
});

describe("evaluate of rules that compileRules has compiled", () => {
  test("returns the verdict of a valid rule in a list with malformed rules", () => {
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 5 }), (others) => {
        const key = "the sound rule";
        const compiled = compileRules([...others, rolledOut(key, 100)]);
        expect(evaluateRule(compiled.get(key), {}).reason).toBe("STATIC");
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
    expect(evaluateRule(compiled.get("unreadable"), {}).reason).toBe("DISABLED");
  });

  test("returns DISABLED for a malformed rule that has a key", () => {
    const broken = { key: "broken", name: "", enabled: true, activation: null };
    const compiled = compileRules([broken]);
    expect(evaluateRule(compiled.get("broken"), {}).reason).toBe("DISABLED");
  });
});
