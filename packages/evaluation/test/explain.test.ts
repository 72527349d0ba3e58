import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileRule, evaluate } from "../src/evaluate.ts";
import { explain, type Explanation } from "../src/explain.ts";
import type { ClientRule, Verdict } from "../src/rule.ts";
import { fittingContext, soundRule } from "./arbitraries.ts";

const COUNTRY = { field: "country", operator: "in", values: ["DE"], contextType: "string" };

const rule = (activation: Partial<ClientRule["activation"]>, key = "f"): ClientRule => ({
  key,
  name: key,
  enabled: true,
  activation: { rollOut: 100, constraints: [], segments: [], ...activation },
});

/**
 * Returns the result of an evaluation that follows from its explained parts (docs/decisions.md, 2.8
 * and 2.10).
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

describe("explain", () => {
  test("returns the same result as evaluate, and parts from which that result follows", () => {
    fc.assert(
      fc.property(soundRule, fittingContext, (given, context) => {
        const explanation = explain(given, context);
        expect(explanation.verdict).toBe(evaluate(compileRule(given), context));
        expect(explanation.verdict).toEqual(verdictOfParts(given, explanation));
      }),
      { numRuns: 1000 },
    );
  });

  test("returns whether each constraint holds, with the value that the context has", () => {
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
      placed: { field: "userId", id: "123", bucket: 73 },
    });
  });

  test("names the single field that stickiness selects", () => {
    const { rollOut } = explain(rule({ rollOut: 25, stickiness: "device" }), { userId: "123" });
    expect(rollOut).toEqual({ rollOut: 25, fields: ["device"], placed: undefined });
  });
});
