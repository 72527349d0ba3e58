import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileRule, compileRules, evaluate, evaluateRule } from "../src/evaluate.ts";
import { explain, type Explanation, type RuleOutcome, type RuleResult } from "../src/explain.ts";
import { splitHash, splitPosition } from "../src/position.ts";
import type { Activation, ClientRule, Verdict } from "../src/rule.ts";
import type { Slot } from "../src/slots.ts";
import { fittingContext, soundFlags, soundRule } from "./arbitraries.ts";

const COUNTRY = { field: "country", operator: "in", values: ["DE"], contextType: "string" };

const rule = (activation: Partial<ClientRule["activation"]>, key = "f"): ClientRule => ({
  key,
  name: key,
  enabled: true,
  activation: { rollOut: 100, constraints: [], segments: [], ...activation },
});

/**
 * Computes the result of an evaluation from its explained parts (docs/build/decisions.md, 2.8 and
 * 2.10).
 */
function verdictOfParts({ enabled }: ClientRule, parts: Explanation): Verdict {
  const { constraints, segments, rollOut } = parts;
  const conditions = [...constraints, ...segments];
  if (!enabled) return { enabled: false, reason: "DISABLED" };
  if (!conditions.every(({ holds }) => holds))
    return { enabled: false, reason: "CONSTRAINT_MISMATCH" };
  if (rollOut.rollOut >= 100)
    return { enabled: true, reason: conditions.length > 0 ? "TARGETING_MATCH" : "STATIC" };
  if (rollOut.rollOut <= 0) return { enabled: false, reason: "SPLIT" };
  if (!rollOut.placed) return { enabled: false, reason: "TARGETING_KEY_MISSING" };
  return { enabled: rollOut.placed.bucket <= rollOut.rollOut, reason: "SPLIT" };
}

/** Returns the result of a rule, from its explained parts. A roll-out and a split need an id. */
function resultOfParts(given: Activation, parts: RuleOutcome): RuleResult {
  const { constraints, segments, rollOut, split } = parts;
  if (![...constraints, ...segments].every(({ holds }) => holds)) return "condition";
  if (rollOut.rollOut <= 0) return "percentage";
  if (rollOut.rollOut < 100) {
    if (!rollOut.placed) return "id";
    if (rollOut.placed.position >= Math.round(rollOut.rollOut * 1000)) return "percentage";
  }
  const isSplit = new Set(given.slots?.map(([, , variant]) => variant)).size > 1;
  return isSplit && !split?.placed ? "id" : "decided";
}

/** Returns the variant that a rule serves, from its explained parts. */
function variantOfParts({ serve, slots }: Activation, { split }: RuleOutcome): string | undefined {
  const at = split?.placed?.position ?? 0;
  return slots?.find(([start, end]) => start <= at && at < end)?.[2] ?? serve;
}

describe("explain of flags with values", () => {
  test("returns the same result as evaluate, with parts that lead to this result", () => {
    fc.assert(
      fc.property(soundFlags, fittingContext, (flags, context) => {
        const compiled = compileRules(flags);
        const byKey = new Map(flags.map((flag) => [flag.key, flag]));
        for (const flag of flags) {
          const explanation = explain(flag, context, byKey);
          const { verdict, rules, prerequisites } = explanation;
          expect(verdict).toEqual(evaluate(compiled, flag.key, context));
          for (const { prerequisite, verdict: other } of prerequisites)
            expect(other).toEqual(evaluate(compiled, prerequisite.flagKey, context));

          const outcomes = [...rules, explanation];
          const activations = [...(flag.rules ?? []), flag.activation];
          const isReached = flag.enabled && prerequisites.every(({ holds }) => holds);
          const expected = outcomes.map((outcome, index) =>
            resultOfParts(activations[index] ?? flag.activation, outcome),
          );
          const decidedAt = isReached ? expected.indexOf("decided") : -1;
          const reached = isReached ? expected.slice(0, decidedAt + 1 || undefined) : [];
          const results = outcomes.map(({ result }) => result);
          expect(results).toEqual([
            ...reached,
            ...Array.from(outcomes.slice(reached.length), () => "notReached"),
          ]);

          const deciding = activations[decidedAt];
          const outcome = outcomes[decidedAt];
          const served = deciding && outcome && variantOfParts(deciding, outcome);
          const { offVariant = flag.type === "boolean" ? "off" : undefined } = flag;
          expect(verdict.variant).toBe(served ?? offVariant ?? undefined);
          expect(verdict.rule).toBe(rules[decidedAt]?.id);
        }
      }),
      { numRuns: 1000 },
    );
  });

  const country = (values: string[]) => ({ ...COUNTRY, values });
  const flag: ClientRule = {
    ...rule({ serve: "blue" }, "gr1"),
    type: "string",
    variants: { red: "#f00", blue: "#00f" },
    rules: [
      { id: "france", rollOut: 100, constraints: [country(["FR"])], segments: [], serve: "red" },
      { id: "some", rollOut: 72, constraints: [], segments: [], serve: "red" },
      { id: "device", rollOut: 50, constraints: [], segments: [], stickiness: "d", serve: "red" },
      { id: "all", rollOut: 100, constraints: [], segments: [], serve: "red" },
    ],
  };

  test("says why each rule before the deciding rule did not decide", () => {
    const explanation = explain(flag, { targetingKey: "123", country: "DE" });
    expect(explanation.rules.map(({ id, result }) => [id, result])).toEqual([
      ["france", "condition"],
      ["some", "percentage"],
      ["device", "id"],
      ["all", "decided"],
    ]);
    expect(explanation.result).toBe("notReached");
    expect(explanation.verdict).toEqual({
      enabled: true,
      reason: "TARGETING_MATCH",
      variant: "red",
      value: "#f00",
      rule: "all",
    });
  });

  test("names a malformed rule that ended the evaluation", () => {
    const unreadable = JSON.parse('[{"id": "x"}, null]');
    const explanation = explain({ ...flag, rules: unreadable }, {});
    expect(explanation.rules.map(({ result }) => result)).toEqual(["malformed", "notReached"]);
    expect(explanation.verdict.reason).toBe("DISABLED");
  });

  test("names the id and the position of a weighted split", () => {
    const slots: Slot[] = [
      [0, 50_000, "red"],
      [50_000, 100_000, "blue"],
    ];
    const activation = { rollOut: 100, constraints: [], segments: [], slots, splitKey: "groupX" };
    const { split } = explain({ ...flag, activation, rules: [] }, { userId: "999" });
    expect(split).toEqual({
      fields: ["targetingKey", "userId", "sessionId"],
      placed: {
        field: "userId",
        id: "999",
        position: splitPosition(splitHash("groupX").of("999")),
      },
    });
  });

  test("contains the verdict of each required flag", () => {
    const required = [{ flagKey: "a" }, { flagKey: "b", enabled: false }, { flagKey: "missing" }];
    const others = new Map([
      ["a", rule({ constraints: [country(["DE"])] }, "a")],
      ["b", rule({}, "b")],
    ]);
    const explanation = explain({ ...flag, prerequisites: required }, { country: "DE" }, others);
    expect(
      explanation.prerequisites.map(({ verdict, holds }) => [
        verdict.enabled,
        verdict.reason,
        holds,
      ]),
    ).toEqual([
      [true, "TARGETING_MATCH", true],
      [true, "STATIC", false],
      [false, "FLAG_NOT_FOUND", false],
    ]);
    expect(explanation.verdict.reason).toBe("PREREQUISITE_FAILED");
    expect(explanation.rules.every(({ result }) => result === "notReached")).toBe(true);
  });
});

describe("explain", () => {
  test("returns the same result as evaluate, with parts that lead to this result", () => {
    fc.assert(
      fc.property(soundRule, fittingContext, (given, context) => {
        const explanation = explain(given, context);
        expect(explanation.verdict).toBe(evaluateRule(compileRule(given), context));
        expect(explanation.verdict).toEqual(verdictOfParts(given, explanation));
      }),
      { numRuns: 1000 },
    );
  });

  test("returns whether each constraint holds, and the context value of its field", () => {
    const other = { ...COUNTRY, field: "plan" };
    const { constraints } = explain(rule({ constraints: [COUNTRY, other] }), { country: "DE" });
    expect(constraints).toEqual([
      { constraint: COUNTRY, value: "DE", holds: true },
      { constraint: other, value: undefined, holds: false },
    ]);
  });

  test("reports a context value that is an array as missing", () => {
    const { constraints } = explain(rule({ constraints: [COUNTRY] }), { country: ["DE"] });
    expect(constraints).toEqual([{ constraint: COUNTRY, value: undefined, holds: false }]);
  });

  test("reports that a segment without constraints never holds", () => {
    const segments = [
      { name: "empty", constraints: [] },
      { name: "Germany", constraints: [COUNTRY] },
    ];
    const explanation = explain(rule({ segments }), { country: "DE" });
    expect(explanation.segments.map(({ name, holds }) => [name, holds])).toEqual([
      ["empty", false],
      ["Germany", true],
    ]);
    expect(explanation.verdict.reason).toBe("CONSTRAINT_MISMATCH");
  });

  test("names the field, the id and the bucket of a percentage roll-out", () => {
    const { rollOut } = explain(rule({ rollOut: 25 }, "gr1"), { sessionId: "s", userId: 123 });
    expect(rollOut).toEqual({
      rollOut: 25,
      fields: ["targetingKey", "userId", "sessionId"],
      placed: { field: "userId", id: "123", bucket: 73, position: 72_125 },
    });
  });

  test("names the single field that stickiness selects", () => {
    const { rollOut } = explain(rule({ rollOut: 25, stickiness: "device" }), { userId: "123" });
    expect(rollOut).toEqual({ rollOut: 25, fields: ["device"], placed: undefined });
  });
});
