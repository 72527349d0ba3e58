import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compileRule,
  compileRules,
  evaluate,
  evaluateRule,
  linkPrerequisites,
  newBatch,
} from "../src/evaluate.ts";
import type { ClientRule, Prerequisite } from "../src/rule.ts";

const requires = (key: string, prerequisites: readonly Prerequisite[]): ClientRule => ({
  key,
  name: key,
  enabled: true,
  activation: { rollOut: 100, constraints: [], segments: [] },
  prerequisites,
});

/** A flag that reads the field with its own key, and is on when this field is "x". */
const counted = (key: string, ...parents: readonly string[]): ClientRule => ({
  ...requires(
    key,
    parents.map((flagKey) => ({ flagKey })),
  ),
  activation: {
    rollOut: 100,
    constraints: [{ field: key, operator: "equals", values: ["x"], contextType: "string" }],
    segments: [],
  },
});

/** Returns a context in which every counted flag is on, and how often each flag was evaluated. */
function countingContext(keys: readonly string[]) {
  const counts = new Map<string, number>();
  const context: Record<string, unknown> = {};
  for (const key of keys)
    Object.defineProperty(context, key, {
      get: () => {
        counts.set(key, (counts.get(key) ?? 0) + 1);
        return "x";
      },
    });
  return { context, counts };
}

/** Returns flags in levels of two. Each of them requires both flags of the next level. */
const ladder = (levels: number): ClientRule[] =>
  Array.from({ length: levels }, (_, level) =>
    ["a", "b"].map((name) =>
      level === levels - 1
        ? counted(`${name}${level}`)
        : counted(`${name}${level}`, `a${level + 1}`, `b${level + 1}`),
    ),
  ).flat();

describe("prerequisites", () => {
  test("make each required flag be evaluated once, however many paths lead to it", () => {
    const flags = ladder(60);
    const keys = flags.map(({ key }) => key);
    const { context, counts } = countingContext(keys);
    expect(evaluate(compileRules(flags), "a0", context).enabled).toBe(true);
    const required = keys.slice(2);
    expect(required.map((key) => counts.get(key))).toEqual(required.map(() => 1));
  });

  test("make each flag of a batch be evaluated exactly once, for random, deep and wide graphs", () => {
    // For each flag, the flags that it requires, as distances back in the list.
    const random = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 10 }), {
      minLength: 1,
      maxLength: 60,
    });
    const deep = fc
      .integer({ min: 1, max: 300 })
      .map((size) => Array.from({ length: size }, () => [1]));
    const wide = fc
      .integer({ min: 1, max: 300 })
      .map((size) => Array.from({ length: size }, (_, n) => (n < 10 ? [] : [n, n - 9])));
    fc.assert(
      fc.property(fc.oneof(random, deep, wide), fc.boolean(), (graph, isReversed) => {
        const flags = graph.map((distances, n) =>
          counted(`f${n}`, ...distances.filter((one) => one <= n).map((one) => `f${n - one}`)),
        );
        const keys = flags.map(({ key }) => key);
        const rules = compileRules(flags);
        const { context, counts } = countingContext(keys);
        const batch = newBatch();
        for (const key of isReversed ? keys.toReversed() : keys)
          expect(evaluateRule(rules.get(key), context, batch).enabled).toBe(true);
        expect([...counts.values()]).toEqual(keys.map(() => 1));
      }),
    );
  });

  test("are evaluated again for each context", () => {
    const rules = compileRules([counted("a", "b"), counted("b", "c"), counted("c")]);
    const on = { a: "x", b: "x", c: "x" };
    expect(evaluate(rules, "a", on).enabled).toBe(true);
    expect(evaluate(rules, "a", { ...on, c: "y" }).reason).toBe("PREREQUISITE_FAILED");
    expect(evaluate(rules, "a", on).enabled).toBe(true);
  });

  test("can be 20,000 levels deep", () => {
    const flags = Array.from({ length: 20_000 }, (_, index) =>
      requires(`f${index}`, index === 19_999 ? [] : [{ flagKey: `f${index + 1}` }]),
    );
    expect(evaluate(compileRules(flags), "f0", {}).enabled).toBe(true);
    const { key } = flags[19_999] ?? { key: "" };
    const off = [...flags.slice(0, -1), { ...requires(key, []), enabled: false }];
    expect(evaluate(compileRules(off), "f0", {}).reason).toBe("PREREQUISITE_FAILED");
  });

  test.each([1, 2, 10])(
    "fail for the %d flags of a cycle, and for a flag that requires one of them",
    (length) => {
      const cycle = Array.from({ length }, (_, index) =>
        requires(`f${index}`, [{ flagKey: `f${(index + 1) % length}`, enabled: index % 2 === 0 }]),
      );
      const rules = compileRules([
        ...cycle,
        requires("before", [{ flagKey: "f0", enabled: false }]),
      ]);
      for (const key of rules.keys())
        expect(evaluate(rules, key, {}).reason).toBe("PREREQUISITE_FAILED");
    },
  );

  test("give the same verdicts as a recursive definition, for random graphs of flags", () => {
    const edges = fc.array(
      fc.array(fc.record({ flagKey: fc.nat(9).map(String), enabled: fc.boolean() }), {
        maxLength: 3,
      }),
      { minLength: 8, maxLength: 8 },
    );
    fc.assert(
      fc.property(edges, (graph) => {
        const parentsOf = (key: string) => graph[Number(key)] ?? [];
        const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
          parentsOf(from).some(({ flagKey }) => {
            if (flagKey === to) return true;
            if (seen.has(flagKey)) return false;
            seen.add(flagKey);
            return reaches(flagKey, to, seen);
          });
        const keys = graph.map((_, index) => String(index));
        const isOnCycle = (key: string) => reaches(key, key);
        const isCyclic = (key: string) =>
          isOnCycle(key) || keys.some((other) => isOnCycle(other) && reaches(key, other));
        const isOn = (key: string): boolean =>
          !isCyclic(key) &&
          parentsOf(key).every(
            ({ flagKey, enabled }) => keys.includes(flagKey) && isOn(flagKey) === enabled,
          );
        const rules = compileRules(graph.map((list, index) => requires(String(index), list)));
        expect(keys.map((key) => evaluate(rules, key, {}).enabled)).toEqual(keys.map(isOn));
      }),
      { numRuns: 1000 },
    );
  });

  test("fail until the rule is linked, and then use the newest link", () => {
    const rule = compileRule(requires("f", [{ flagKey: "a" }]));
    const reason = () => evaluateRule(rule, {}).reason;
    expect(reason()).toBe("PREREQUISITE_FAILED");
    const linked = (...rules: (typeof rule)[]) =>
      linkPrerequisites(new Map(rules.map((one) => [one.key, one])));
    linked(rule, compileRule(requires("a", [])));
    expect(reason()).toBe("TARGETING_MATCH");
    linked(rule);
    expect(reason()).toBe("PREREQUISITE_FAILED");
  });

  test("are evaluated to an end when a getter of the context evaluates flags itself", () => {
    const flags = ladder(4);
    const rules = compileRules(flags);
    let isNested = false;
    const context: Record<string, unknown> = {};
    for (const { key } of flags)
      Object.defineProperty(context, key, {
        get: () => {
          if (isNested) return "x";
          isNested = true;
          for (const other of rules.keys()) evaluate(rules, other, context);
          isNested = false;
          return "x";
        },
      });
    expect(evaluate(rules, "a0", context).enabled).toBe(true);
  });
});
