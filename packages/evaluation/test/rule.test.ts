import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileRule, evaluateRule } from "../src/evaluate.ts";
import { type RuleFlag, type RuleStrategy, toClientRule } from "../src/rule.ts";
import { fittingContext, soundConstraint } from "./arbitraries.ts";

const STRATEGY: RuleStrategy = {
  enabled: true,
  percentage: 100,
  constraints: [],
  segmentIds: [],
  stickiness: null,
};
const json = (flag: Partial<RuleFlag>, strategy: Partial<RuleStrategy>): string =>
  JSON.stringify(
    toClientRule({ key: "f", name: "F", ...flag }, { ...STRATEGY, ...strategy }, new Map()),
  );
const PLAIN =
  '{"key":"f","name":"F","enabled":true,"activation":{"rollOut":100,"constraints":[],"segments":[]}}';

describe("toClientRule", () => {
  test("omits every field that has its default", () => {
    const flag: RuleFlag = {
      key: "f",
      name: "F",
      valueType: "boolean",
      variants: [
        { key: "on", value: true },
        { key: "off", value: false },
      ],
      offVariant: "off",
      prerequisites: [],
    };
    const strategy: Partial<RuleStrategy> = {
      hashKey: "f",
      serve: { variant: "on" },
      splitKey: "f",
      splitStickiness: "company",
      rules: [],
    };
    expect(json(flag, strategy)).toBe(PLAIN);
    expect(json({}, { hashKey: null, serve: null })).toBe(PLAIN);
  });

  test("contains the parts that a flag with values uses, in a fixed order", () => {
    const flag: Partial<RuleFlag> = {
      valueType: "json",
      variants: [
        { key: "b", value: { x: 1 } },
        { key: "__proto__", value: null },
      ],
      offVariant: "b",
      prerequisites: [
        { flagKey: "g", enabled: true },
        { flagKey: "h", enabled: false, variants: ["x"] },
      ],
    };
    const rule = {
      id: "r1",
      percentage: 12.5,
      constraints: [],
      segmentIds: [404],
      stickiness: "company",
      hashKey: "group",
      serve: { variant: "b" },
    };
    const strategy: Partial<RuleStrategy> = {
      serve: {
        slots: [
          [100_000, 50_000, "b"],
          [20_000, 50_000, "__proto__"],
          [0, 20_000, "__proto__"],
        ],
      },
      splitKey: "split",
      splitStickiness: "device",
      rules: [rule],
    };
    expect(json(flag, strategy)).toBe(
      '{"key":"f","name":"F","enabled":true,' +
        '"activation":{"rollOut":100,"constraints":[],"segments":[],' +
        '"slots":[[0,50000,"__proto__"],[50000,100000,"b"]],' +
        '"splitKey":"split","splitStickiness":"device"},' +
        '"type":"json","variants":{"b":{"x":1},"__proto__":null},"offVariant":"b",' +
        '"rules":[{"id":"r1","rollOut":12,"constraints":[],' +
        '"segments":[{"name":"","constraints":[]}],"stickiness":"company",' +
        '"exactRollOut":12.5,"hashKey":"group","serve":"b"}],' +
        '"prerequisites":[{"flagKey":"g"},{"flagKey":"h","enabled":false,"variants":["x"]}]}',
    );
  });

  test.each([
    [
      "a string flag that serves on",
      { valueType: "string" },
      { serve: { variant: "on" } },
      { serve: "on" },
    ],
    [
      "a string flag whose strategy does not say what it serves",
      { valueType: "string", variants: [{ key: "first", value: "1" }] },
      { serve: null },
      { serve: "first" },
    ],
    [
      "a split by the field of the roll-out",
      {},
      { stickiness: "company", splitStickiness: "company", serve: { slots: [[0, 100_000, "on"]] } },
      { stickiness: "company", slots: [[0, 100_000, "on"]] },
    ],
  ] satisfies [string, Partial<RuleFlag>, Partial<RuleStrategy>, object][])(
    "states what is served by %s",
    (_, flag, strategy, expected) => {
      const { activation } = JSON.parse(json(flag, strategy));
      expect(activation).toEqual({ rollOut: 100, constraints: [], segments: [], ...expected });
    },
  );

  describe("the rule for an SDK that knows no variants", () => {
    const OFF: Partial<RuleStrategy> = { serve: { variant: "off" } };
    const text = { valueType: "string", variants: [{ key: "a", value: "1" }] };

    test.each([
      ["off is served to everybody", {}, OFF, { rollOut: 0, exactRollOut: 100, serve: "off" }],
      [
        "off is served to a part of the users",
        {},
        { ...OFF, percentage: 33.333 },
        { rollOut: 0, exactRollOut: 33.333, serve: "off" },
      ],
      ["off is served to nobody", {}, { ...OFF, percentage: 0 }, { rollOut: 0, serve: "off" }],
      [
        "a split serves off only",
        {},
        { serve: { slots: [[0, 100_000, "off"]] } },
        { rollOut: 0, exactRollOut: 100, slots: [[0, 100_000, "off"]] },
      ],
      [
        "the off variant of a string flag is served",
        { ...text, offVariant: "a" },
        {},
        { rollOut: 0, exactRollOut: 100, serve: "a" },
      ],
    ] satisfies [string, Partial<RuleFlag>, Partial<RuleStrategy>, object][])(
      "the last rule has a roll-out of 0 when %s",
      (_, flag, strategy, expected) => {
        const { activation } = JSON.parse(json(flag, strategy));
        expect(activation).toEqual({ constraints: [], segments: [], ...expected });
      },
    );

    test.each([
      ["a string flag without an off variant", { ...text, offVariant: null }, {}],
      ["a boolean flag with the off variant on", { offVariant: "on" }, {}],
      [
        "a split that serves on, too",
        {},
        {
          serve: {
            slots: [
              [0, 1, "on"],
              [1, 100_000, "off"],
            ],
          },
        },
      ],
    ] satisfies [string, Partial<RuleFlag>, Partial<RuleStrategy>][])(
      "the last rule keeps its roll-out: %s",
      (_, flag, strategy) => {
        const { activation } = JSON.parse(json(flag, { percentage: 40, ...strategy }));
        expect([activation.rollOut, activation.exactRollOut]).toEqual([40, undefined]);
      },
    );

    test("keeps the roll-out of an ordered rule, because such an SDK ignores the rule", () => {
      const { rules } = JSON.parse(json({}, { rules: [{ ...STRATEGY, ...OFF, id: "r" }] }));
      expect([rules[0].rollOut, rules[0].exactRollOut]).toEqual([100, undefined]);
    });

    test("gives all other SDKs the same verdict as the percentage in rollOut would", () => {
      const conditions = { constraints: fc.array(soundConstraint(), { maxLength: 2 }) };
      const content = fc.record({
        thousandths: fc.oneof(fc.constantFrom(0, 50_000, 100_000), fc.nat(100_000)),
        ...conditions,
        rules: fc.array(fc.record({ percentage: fc.constantFrom(50, 100), ...conditions }), {
          maxLength: 2,
        }),
      });
      const contexts = fc.array(
        fc.tuple(fittingContext, fc.option(fc.string(), { nil: undefined })),
      );
      const reasons = new Set<string>();
      fc.assert(
        fc.property(content, contexts, ({ thousandths, constraints, rules }, given) => {
          const exactPercentage = thousandths / 1000;
          const percentage = Math.floor(exactPercentage);
          const ordered = rules.map((rule, n) => ({ ...STRATEGY, ...rule, id: `r${n}` }));
          const strategy = { ...STRATEGY, ...OFF, percentage: exactPercentage, constraints };
          const rule = toClientRule(
            { key: "f", name: "F" },
            { ...strategy, rules: ordered },
            new Map(),
          );
          const activation = {
            ...rule.activation,
            rollOut: percentage,
            exactRollOut: percentage === exactPercentage ? undefined : exactPercentage,
          };
          const [sent, other] = [compileRule(rule), compileRule({ ...rule, activation })];
          for (const [context, userId] of given) {
            const verdict = evaluateRule(sent, { ...context, userId });
            expect(verdict).toEqual(evaluateRule(other, { ...context, userId }));
            reasons.add(verdict.reason);
          }
          expect(rule.activation.rollOut).toBe(0);
        }),
        { numRuns: 500 },
      );
      expect([...reasons].toSorted()).toEqual([
        "CONSTRAINT_MISMATCH",
        "SPLIT",
        "STATIC",
        "TARGETING_KEY_MISSING",
        "TARGETING_MATCH",
      ]);
    });
  });

  test("states that a boolean flag has no off variant", () => {
    expect(JSON.parse(json({ offVariant: null }, {})).offVariant).toBeNull();
    expect(json({ valueType: "string", offVariant: null }, {})).not.toContain("offVariant");
  });
});
