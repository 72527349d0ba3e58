import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  DEFAULT_STRATEGY,
  mergeStrategy,
  readStrategy,
  STRATEGY_FIELDS,
  type StrategyContent,
  storedValue,
} from "../../../src/core/strategies/strategy.ts";

const content: StrategyContent = {
  enabled: true,
  percentage: 25,
  constraints: [{ field: "country", operator: "in", values: ["DE"], contextType: "string" }],
  segmentIds: [7, 3],
  stickiness: "company",
};

/**
 * Returns the database row of a strategy: each field as storedValue stores it. In the database, the
 * query computes `segmentIds`.
 */
const rowOf = (strategy: StrategyContent) =>
  Object.fromEntries(
    STRATEGY_FIELDS.map((field) => [field, storedValue(field, strategy[field])]),
  ) as Record<keyof StrategyContent, unknown>;

describe("mergeStrategy", () => {
  it("keeps every field that the change leaves out", () => {
    expect(mergeStrategy(content, {})).toEqual(content);
    expect(mergeStrategy(content, { percentage: undefined })).toEqual(content);
  });

  it("overwrites values with null and false when the change has them", () => {
    const after = mergeStrategy(content, { stickiness: null, enabled: false });
    expect(after).toEqual({ ...content, stickiness: null, enabled: false });
  });

  it("keeps the order of the fields, because the audit trail displays them in that order", () => {
    const fields = ["enabled", "percentage", "constraints", "segmentIds", "stickiness"];
    expect(Object.keys(mergeStrategy(content, { stickiness: null }))).toEqual(fields);
  });
});

describe("readStrategy", () => {
  it("reads back what storedValue wrote", () => {
    const strategies = fc.record({
      enabled: fc.boolean(),
      percentage: fc.integer({ min: 0, max: 100 }),
      constraints: fc.constantFrom([], content.constraints),
      segmentIds: fc.array(fc.nat()),
      stickiness: fc.option(fc.string()),
    });
    fc.assert(
      fc.property(strategies, (strategy) => {
        expect(readStrategy(rowOf(strategy))).toEqual(strategy);
      }),
    );
  });

  it("returns the default strategy for a row of nulls", () => {
    const nulls = { enabled: null, percentage: null, constraints: null, stickiness: null };
    expect(readStrategy({ ...nulls, segmentIds: "[]" })).toEqual(DEFAULT_STRATEGY);
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
  ])("throws for the malformed column %j", (column) => {
    expect(() => readStrategy({ ...rowOf(content), ...column })).toThrow(/not well formed|JSON/);
  });
});
