import { describe, expect, it } from "vitest";
import {
  mergeStrategy,
  type RuleInput,
  type StrategyChange,
} from "../../../src/core/strategies/change.ts";
import {
  DEFAULT_STRATEGY,
  STRATEGY_FIELDS,
  type StrategyContent,
} from "../../../src/core/strategies/strategy.ts";
import { strategyView } from "../../../src/core/strategies/view.ts";

const variants = ["blue", "red", "green"];

const content: StrategyContent = {
  ...DEFAULT_STRATEGY,
  enabled: true,
  percentage: 25,
  constraints: [{ field: "country", operator: "in", values: ["DE"], contextType: "string" }],
  segmentIds: [7, 3],
  stickiness: "company",
  serve: { variant: "red" },
};

let ids = 0;
const merge = (before: StrategyContent, change: StrategyChange) =>
  mergeStrategy(before, change, { variants, newRuleId: () => `rule-${(ids += 1)}` });
const withRules = (rules: readonly RuleInput[], before = content) => merge(before, { rules });

describe("mergeStrategy", () => {
  it("keeps every field that the change omits", () => {
    expect(merge(content, {})).toEqual(content);
    expect(merge(content, { percentage: undefined, serve: undefined })).toEqual(content);
  });

  it("overwrites a value when the change sets it to null or false", () => {
    const after = merge(content, { stickiness: null, enabled: false });
    expect(after).toEqual({ ...content, stickiness: null, enabled: false });
  });

  it("keeps the order of the fields, because the audit trail displays them in that order", () => {
    const after = merge(content, { stickiness: null, serve: { variant: "blue" } });
    expect(Object.keys(after)).toEqual(STRATEGY_FIELDS);
  });

  it("returns the first variant as `serve` when neither the change nor the strategy says what to serve", () => {
    expect(merge(DEFAULT_STRATEGY, { enabled: true }).serve).toEqual({ variant: "blue" });
  });
});

describe("the ordered rules of a changed strategy", () => {
  it("get an id, and the default of every field that the request omits", () => {
    const [rule] = withRules([{}]).rules;
    expect(rule).toEqual({
      id: expect.stringMatching(/^rule-\d+$/),
      name: null,
      percentage: 100,
      constraints: [],
      segmentIds: [],
      stickiness: null,
      hashKey: null,
      serve: { variant: "blue" },
      splitKey: null,
      splitStickiness: null,
    });
  });

  it("keep their id when they are reordered, and lose the fields that the request omits", () => {
    const before = withRules([{ name: "one", percentage: 5 }, { name: "two" }]);
    const [one, two] = before.rules.map(({ id }) => id);
    const after = withRules([{ id: two, name: "two" }, { id: one }], before);
    expect(after.rules.map(({ id, name, percentage }) => [id, name, percentage])).toEqual([
      [two, "two", 100],
      [one, null, 100],
    ]);
  });

  it("are removed when the request has an empty list, and kept when the request omits the list", () => {
    const before = withRules([{}]);
    expect(withRules([], before).rules).toEqual([]);
    expect(merge(before, { enabled: false }).rules).toEqual(before.rules);
  });
});

describe("the weights of a split", () => {
  const weights = (blue: number, red: number, green: number) => ({
    serve: { weights: { green, blue, red } },
  });
  const start = merge(content, weights(34, 33, 33));

  it("become slots one after the other, in the order of the variants", () => {
    expect(start.serve).toEqual({
      slots: [
        [0, 34_000, "blue"],
        [67_000, 34_000, "red"],
        [67_000, 100_000, "green"],
      ],
    });
  });

  it("are listed in the order of the variants, without variants that have 0 %", () => {
    const { serve } = strategyView(merge(start, weights(0, 60, 40)), variants);
    expect(JSON.stringify(serve)).toMatch(/^\{"weights":\{"red":60,"green":40\},/);
  });

  it("restore the old slots when they return to old values", () => {
    const changed = merge(start, weights(50, 25, 25));
    expect(changed.serve).not.toEqual(start.serve);
    expect(merge(changed, weights(34, 33, 33))).toEqual(start);
  });

  it("restore the slots of an ordered rule that keeps its id, even when the rule moves", () => {
    const before = withRules([weights(34, 33, 33), {}]);
    const [split, other] = before.rules.map(({ id }) => id);
    const changed = withRules([{ id: other }, { id: split, ...weights(50, 25, 25) }], before);
    const restored = withRules([{ id: split, ...weights(34, 33, 33) }, { id: other }], changed);
    expect(changed.rules[1]?.serve).not.toEqual(before.rules[0]?.serve);
    expect(restored).toEqual(before);
  });

  it("start with new slots in an ordered rule with a new id", () => {
    const before = withRules([weights(50, 25, 25)]);
    const again = withRules([weights(34, 33, 33)], before);
    expect(again.rules[0]?.serve).toEqual(start.serve);
  });
});
