import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  columnsOf,
  DEFAULT_STRATEGY,
  NEW_RULE,
  readStrategy,
  type StoredRule,
  STRATEGY_COLUMNS,
  type StrategyColumn,
  type StrategyContent,
} from "../../../src/core/strategies/strategy.ts";

const rule: StoredRule = {
  ...NEW_RULE,
  id: "a1b2c3d4e5",
  name: "Staff",
  percentage: 12.5,
  segmentIds: [9],
  serve: { variant: "blue" },
};

const content: StrategyContent = {
  ...DEFAULT_STRATEGY,
  enabled: true,
  percentage: 25,
  constraints: [{ field: "country", operator: "in", values: ["DE"], contextType: "string" }],
  segmentIds: [7, 3],
  stickiness: "company",
};

type Row = Record<StrategyColumn, unknown>;

/**
 * Returns a strategy as a database row, with the values that columnsOf returns. A real query
 * computes `segmentIds`.
 */
const rowOf = (strategy: StrategyContent) =>
  Object.fromEntries(
    Object.entries(columnsOf(strategy)).map(([column, value]) => [
      column,
      typeof value === "object" && value !== null ? JSON.stringify(value) : value,
    ]),
  ) as Row;

describe("readStrategy", () => {
  it("reads back what columnsOf wrote", () => {
    const strategies = fc.record({
      enabled: fc.boolean(),
      percentage: fc.integer({ min: 0, max: 99 }),
      constraints: fc.constantFrom([], content.constraints),
      segmentIds: fc.array(fc.nat()),
      stickiness: fc.option(fc.string()),
      hashKey: fc.option(fc.string()),
      serve: fc.constantFrom(null, { variant: "blue" }, { slots: [[0, 100_000, "red"] as const] }),
      splitKey: fc.option(fc.string()),
      splitStickiness: fc.option(fc.string()),
      rules: fc.constantFrom([], [rule]),
      decimals: fc.integer({ min: 1, max: 999 }),
    });
    fc.assert(
      fc.property(strategies, ({ decimals, ...rest }) => {
        const strategy = {
          ...DEFAULT_STRATEGY,
          ...rest,
          percentage: rest.percentage + decimals / 1000,
        };
        expect(readStrategy(rowOf(strategy))).toEqual(strategy);
      }),
    );
  });

  it("gives a rule that is older than the last field the default of the field", () => {
    const { splitStickiness: _, ...older } = { ...rule, percentage: 12, exactPercentage: 12.5 };
    const { rules } = readStrategy({ ...rowOf(content), rules: JSON.stringify([older]) });
    expect(rules).toEqual([rule]);
  });

  it("returns the default strategy for a row of nulls", () => {
    const nulls = Object.fromEntries(STRATEGY_COLUMNS.map((column) => [column, null]));
    expect(readStrategy({ ...(nulls as Row), segmentIds: "[]" })).toEqual(DEFAULT_STRATEGY);
  });

  it.each([
    { enabled: 2 },
    { enabled: "true" },
    { percentage: 101 },
    { percentage: -1 },
    { percentage: 0.5 },
    { percentage: "50" },
    { constraints: "{}" },
    { constraints: "[" },
    { constraints: undefined },
    { segmentIds: 3 },
    { stickiness: 5 },
    { exactPercentage: "33.3" },
    { hashKey: 5 },
    { serve: "[]" },
    { serve: 5 },
    { rules: "{}" },
  ])("throws for the malformed column %j", (column) => {
    expect(() => readStrategy({ ...rowOf(content), ...column })).toThrow(/not well formed|JSON/);
  });
});
