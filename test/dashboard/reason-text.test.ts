import { explain } from "@feature-flags/evaluation/explain";
import type {
  Activation,
  ClientRule,
  EvaluationContext,
  OrderedRule,
} from "@feature-flags/evaluation/rule";
import { describe, expect, it } from "vitest";
import { reasonText } from "../../dashboard/src/features/playground/reason-text.ts";
import { outcomeText, ruleName } from "../../dashboard/src/features/playground/rule-text.ts";
import { rulesToExplain } from "../../dashboard/src/features/playground/rules-to-explain.ts";
import { format, t } from "./support/english.ts";

const EVERYONE: Activation = { rollOut: 100, constraints: [], segments: [] };

const where = (field: string, ...values: string[]): Pick<Activation, "constraints"> => ({
  constraints: [{ field, operator: "in", values, contextType: "string" }],
});

const flag = (rules: readonly OrderedRule[], rest: Partial<ClientRule> = {}): ClientRule => ({
  key: "banner",
  name: "Banner",
  enabled: true,
  activation: EVERYONE,
  rules,
  ...rest,
});

const NAMES = new Map([["staff", "Staff"]]);

function texts(rule: ClientRule, context: EvaluationContext, others: readonly ClientRule[] = []) {
  const explanation = explain(rule, context, new Map(others.map((one) => [one.key, one])));
  const rules = rulesToExplain(rule, explanation, NAMES);
  return {
    reason: reasonText(t, format, {
      explanation,
      rules,
      isEnabled: rule.enabled,
      environment: "production",
      flagName: (key) => others.find((one) => one.key === key)?.name ?? key,
    }),
    rules: rules.map((one) => [ruleName(t, one), outcomeText(t, format, one.outcome)]),
  };
}

describe("the reason of a flag with ordered rules", () => {
  it("names the rule that decided, and says why each earlier rule did not", () => {
    const rule = flag([
      { ...EVERYONE, ...where("country", "DE"), id: "germany" },
      { ...EVERYONE, ...where("team", "shop"), id: "staff" },
    ]);
    expect(texts(rule, { country: "FR", team: "shop" })).toEqual({
      reason: "Rule 2: Staff · All conditions are met",
      rules: [
        ["Rule 1", "Not met: country is DE"],
        ["Rule 2: Staff", "All conditions are met"],
        ["Last rule", "Not reached"],
      ],
    });
  });

  it("compares the place with the percentage, with three decimals if the percentage has decimals", () => {
    const rule = flag([
      { ...EVERYONE, rollOut: 72, exactRollOut: 72.125, id: "exact", hashKey: "gr1" },
      { ...EVERYONE, rollOut: 72, id: "whole", hashKey: "gr1" },
    ]);
    expect(texts(rule, { targetingKey: "123" })).toEqual({
      reason: "Last rule · Applies to everyone",
      rules: [
        ["Rule 1", "Bucket 72.125 of 100, roll-out is 72.125%"],
        ["Rule 2", "Bucket 73 of 100, roll-out is 72%"],
        ["Last rule", "Applies to everyone"],
      ],
    });
  });

  it("names the fields of the missing id, for the roll-out and for the split", () => {
    const split: Activation = {
      ...EVERYONE,
      slots: [
        [0, 50_000, "on"],
        [50_000, 100_000, "off"],
      ],
      splitStickiness: "company",
    };
    const rule = flag([{ ...EVERYONE, rollOut: 10, stickiness: "device", id: "some" }], {
      activation: split,
    });
    expect(texts(rule, {})).toEqual({
      reason: "Rule 1 · The context has no device for bucketing",
      rules: [
        ["Rule 1", "The context has no device for bucketing"],
        ["Last rule", "The context has no company for bucketing"],
      ],
    });
  });

  it("says that no rule applies", () => {
    const rule = flag([{ ...EVERYONE, rollOut: 0, id: "nobody" }], {
      activation: { ...EVERYONE, ...where("country", "DE") },
    });
    expect(texts(rule, {})).toEqual({
      reason: "None of the 2 rules applies",
      rules: [
        ["Rule 1", "Roll-out is 0%: nobody"],
        ["Last rule", "Not met: country is DE"],
      ],
    });
  });

  it("names an ordered rule that cannot be read", () => {
    const rule = flag([{ ...EVERYONE, serve: "missing", id: "broken" }]);
    expect(texts(rule, {}).reason).toBe("Rule 1 · This rule is invalid, so the flag is off");
  });
});

it("the reason of a failed prerequisite names the required flag and what it must serve", () => {
  const shop = { ...flag([]), key: "shop", name: "Shop", enabled: false };
  const rule = flag([], {
    prerequisites: [{ flagKey: "shop" }, { flagKey: "gone", variants: ["a", "b"] }],
  });
  expect(texts(rule, {}, [shop])).toEqual({
    reason: "Not met: “Shop” is on, and 1 more",
    rules: [["Last rule", "Not reached"]],
  });
});

it("the reason of a flag without ordered rules names no rule", () => {
  expect(texts(flag([]), {}).reason).toBe("On for everyone");
  const limited = flag([], { activation: { ...EVERYONE, ...where("country", "DE") } });
  expect(texts(limited, {}).reason).toBe("Not met: country is DE");
  expect(texts({ ...limited, enabled: false }, {}).reason).toBe("Turned off in production");
});
