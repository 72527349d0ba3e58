import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileRules, evaluate } from "@feature-flags/evaluation/evaluate";
import { toClientRule } from "@feature-flags/evaluation/rule";
import {
  mergeStrategy,
  type RuleInput,
  type StrategyChange,
} from "../../../src/core/strategies/change.ts";
import { changedShareOf } from "../../../src/core/strategies/changed-variants.ts";
import { DEFAULT_STRATEGY, type StrategyContent } from "../../../src/core/strategies/strategy.ts";

const variants = ["blue", "red", "green"];
const flag = { key: "flag", variants, offVariant: "blue" as string | null };
const booleanFlag = { key: "flag", variants: ["on", "off"], offVariant: "off" };

let ids = 0;
const change = (before: StrategyContent, changed: StrategyChange, of = flag) =>
  mergeStrategy(before, changed, { variants: of.variants, newRuleId: () => `rule-${(ids += 1)}` });
const strategy = (changed: StrategyChange, of = flag) =>
  change(DEFAULT_STRATEGY, { enabled: true, ...changed }, of);

/** A condition that holds for contexts with this field. */
const has = (field: string) => ({ field, operator: "exists", values: [], contextType: "string" });
const weights = (blue: number, red: number, green: number) => ({
  weights: { blue, red, green },
});

describe("the share of users that a change moves", () => {
  const boolean = (before: StrategyChange, after: StrategyChange) => {
    const start = strategy(before, booleanFlag);
    return changedShareOf(booleanFlag, start, change(start, after, booleanFlag));
  };

  it("is 0.16 when weights change from 34/33/33 to 50/25/25", () => {
    const before = strategy({ serve: weights(34, 33, 33) });
    const after = change(before, { serve: weights(50, 25, 25) });
    expect(changedShareOf(flag, before, after)).toBe(0.16);
  });

  it.each<[string, StrategyChange, StrategyChange, number]>([
    ["a roll-out grows", { percentage: 10 }, { percentage: 20 }, 0.1],
    ["an exact roll-out shrinks", { percentage: 33.333 }, { percentage: 33 }, 0.00333],
    ["the flag is switched on", { enabled: false, percentage: 30 }, { enabled: true }, 0.3],
    ["the flag is switched off", { percentage: 30 }, { enabled: false }, 0.3],
    ["nothing changes", { percentage: 30, serve: { variant: "off" } }, {}, 0],
    ["a disabled flag changes", { enabled: false, percentage: 30 }, { percentage: 100 }, 0],
    ["a rule that changes nothing is added", { percentage: 30 }, { rules: [{ percentage: 0 }] }, 0],
    ["a rule is added that serves off to 20 %", {}, { rules: [off(20)] }, 0.2],
    ["a condition is added", { percentage: 30 }, { constraints: [has("country")] }, 0.3],
    ["the hash key changes", { percentage: 50 }, { hashKey: "group" }, 0.5],
    ["the hash key is set to the key of the flag", { percentage: 50 }, { hashKey: "flag" }, 0],
  ])("is computed exactly when %s", (_, before, after, share) => {
    expect(boolean(before, after)).toBe(share);
  });

  function off(percentage: number): RuleInput {
    return { percentage, serve: { variant: "off" } };
  }

  it("does not count users who cannot reach the changed rule", () => {
    const first = { constraints: [has("country")], serve: { variant: "red" } };
    const second = (variant: string) => ({ ...first, serve: { variant } });
    const before = strategy({ rules: [first, second("blue")] });
    expect(changedShareOf(flag, before, strategy({ rules: [first, second("green")] }))).toBe(0);
    expect(changedShareOf(flag, before, strategy({ rules: [second("blue"), first] }))).toBe(1);
  });

  it("is 0 when rules that serve the same variant change places", () => {
    const one = { constraints: [has("country")], serve: { variant: "red" } };
    const other = { ...one, constraints: [has("plan")] };
    const before = strategy({ rules: [one, other] });
    expect(changedShareOf(flag, before, strategy({ rules: [other, one] }))).toBe(0);
  });

  it("is not affected by the order of the conditions of a rule", () => {
    const both = [has("country"), has("plan")];
    const before = strategy({ constraints: both, segmentIds: [1, 2], serve: { variant: "red" } });
    const after = change(before, { constraints: both.toReversed(), segmentIds: [2, 1] });
    expect(changedShareOf(flag, before, after)).toBe(0);
  });

  it("counts users who get no variant instead of a variant", () => {
    const withoutOff = { ...flag, offVariant: null };
    const before = strategy({ percentage: 40 });
    const after = change(before, { percentage: 0 });
    expect(changedShareOf(flag, before, after)).toBe(0);
    expect(changedShareOf(withoutOff, before, after)).toBe(0.4);
  });
});

const CONDITIONS = [[], [has("a")], [has("b")]];
/**
 * Sets of fields, one for each combination of the conditions. A context with these fields meets
 * exactly this combination.
 */
const FIELDS = [[], ["a"], ["b"], ["a", "b"]].map((fields) => new Set(fields));

/**
 * Percentages and weights are multiples of 20. Then five users, one in each fifth of the buckets,
 * see every possible outcome.
 */
const served = fc.oneof(
  fc.constantFrom(...variants).map((variant) => ({ variant })),
  fc.tuple(fc.nat(5), fc.nat(5)).map(([one, other]) => {
    const [low, high] = [Math.min(one, other), Math.max(one, other)];
    return weights(low * 20, (high - low) * 20, (5 - high) * 20);
  }),
);
const rule = fc.record({
  percentage: fc.constantFrom(0, 20, 60, 100, 100),
  constraints: fc.constantFrom(...CONDITIONS),
  serve: served,
  hashKey: fc.constantFrom(null, "group"),
});
const changes = fc.record({
  enabled: fc.constantFrom(true, true, true, false),
  percentage: fc.constantFrom(0, 40, 100),
  constraints: fc.constantFrom(...CONDITIONS),
  serve: served,
  rules: fc.array(rule, { maxLength: 3 }),
});

/** Returns what a strategy serves at positions, among contexts that have the fields. */
function servedAt(
  { enabled, rules, ...last }: StrategyContent,
  positions: Readonly<Record<string, number>>,
  fields: ReadonlySet<string>,
): string | null {
  for (const { percentage, constraints, serve, hashKey } of enabled ? [...rules, last] : []) {
    if (!constraints.every(({ field }) => fields.has(field))) continue;
    if ((positions[hashKey ?? "flag"] ?? 0) >= percentage * 1000) continue;
    if (serve === null || "variant" in serve) return serve?.variant ?? "blue";
    const at = positions["split"] ?? 0;
    const slot = serve.slots.find(
      ([from, to]) => Math.min(from, to) <= at && at < Math.max(from, to),
    );
    return slot?.[2] ?? null;
  }
  return flag.offVariant;
}

describe("the share of moved users in random changes of a strategy", () => {
  const middles = [10_000, 30_000, 50_000, 70_000, 90_000];
  const places = middles.flatMap((own) =>
    middles.flatMap((group) => middles.map((split) => ({ flag: own, group, split }))),
  );

  it("equals the share found by enumerating all positions and all combinations of conditions", () => {
    fc.assert(
      fc.property(changes, changes, (one, other) => {
        const [before, after] = [strategy(one), strategy(other)];
        const moved = places.filter((place) =>
          FIELDS.some(
            (fields) => servedAt(before, place, fields) !== servedAt(after, place, fields),
          ),
        );
        expect(changedShareOf(flag, before, after)).toBeCloseTo(moved.length / places.length, 9);
      }),
      { numRuns: 500 },
    );
  });

  it("equals the share that the evaluator gives for real ids", () => {
    const compile = (content: StrategyContent) => {
      const values = variants.map((key) => ({ key, value: key }));
      const ruleFlag = { ...flag, name: "Flag", valueType: "string", variants: values };
      return compileRules([toClientRule(ruleFlag, content, new Map())]);
    };
    const targetingKeys = Array.from({ length: 1500 }, (_, n) => `user-${n}`);
    fc.assert(
      fc.property(changes, changes, (one, other) => {
        const [before, after] = [strategy(one), strategy(other)];
        const rules = [compile(before), compile(after)];
        const moved = targetingKeys.filter((targetingKey) =>
          FIELDS.some((fields) => {
            const context = { ...Object.fromEntries([...fields].map((f) => [f, 1])), targetingKey };
            const [old, young] = rules.map((of) => evaluate(of, "flag", context).variant);
            return old !== young;
          }),
        );
        // Allows four standard deviations of a share of 1,500 ids.
        const difference =
          changedShareOf(flag, before, after) - moved.length / targetingKeys.length;
        expect(Math.abs(difference)).toBeLessThan(0.052);
      }),
      { numRuns: 60 },
    );
  });
});

describe("the share of moved users in strategies with very many hashes", () => {
  const many = Array.from({ length: 50 }, (_, n) => `variant-${n}`);
  const wide = { key: "flag", variants: many, offVariant: null };
  const even = { weights: Object.fromEntries(many.map((key) => [key, 2])) };
  const ruleWith = (hashKey: string): RuleInput => ({
    percentage: 50,
    constraints: [has(hashKey)],
    serve: even,
    hashKey,
    splitKey: hashKey,
  });
  const keys = Array.from({ length: 50 }, (_, n) => `key-${n}`);

  it("is within 2 % of the exact share", () => {
    const before = strategy({ serve: even, rules: keys.map(ruleWith) }, wide);
    // The rules serve the same variants, so a change of the last rule moves half of the users.
    const after = change(before, { percentage: 50 }, wide);
    expect(Math.abs(changedShareOf(wide, before, after) - 0.5)).toBeLessThan(0.02);
  });
});
