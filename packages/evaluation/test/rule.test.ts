import { describe, expect, test } from "vitest";
import { type RuleFlag, type RuleStrategy, toClientRule } from "../src/rule.ts";

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
  test("leaves out every field that has its default", () => {
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
      exactPercentage: 100,
      hashKey: "f",
      serve: { variant: "on" },
      splitKey: "f",
      splitStickiness: "company",
      rules: [],
    };
    expect(json(flag, strategy)).toBe(PLAIN);
    expect(json({}, { exactPercentage: null, hashKey: null, serve: null })).toBe(PLAIN);
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
      percentage: 12,
      exactPercentage: 12.5,
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
    ["a boolean flag that serves off", {}, { serve: { variant: "off" } }, { serve: "off" }],
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

  test("states that a boolean flag has no off variant", () => {
    expect(JSON.parse(json({ offVariant: null }, {})).offVariant).toBeNull();
    expect(json({ valueType: "string", offVariant: null }, {})).not.toContain("offVariant");
  });
});
