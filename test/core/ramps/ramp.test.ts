import { describe, expect, it } from "vitest";
import { atPercentage, beforeRamp, phaseAfter, restored } from "../../../src/core/ramps/ramp.ts";
import { DEFAULT_STRATEGY, type StoredRule } from "../../../src/core/strategies/strategy.ts";

const NOW = 1_000_000;
const step = (holdMinutes: number | null) => ({ exactPercentage: 10, holdMinutes });

describe("the phase after a step", () => {
  it.each([
    {
      does: "runs until the hold is over",
      steps: [step(2), step(null)],
      index: 0,
      phase: { state: "running", nextAt: NOW + 120_000 },
    },
    {
      does: "waits for a person without a hold",
      steps: [step(null), step(5)],
      index: 0,
      phase: { state: "waiting", nextAt: null },
    },
    {
      does: "is completed after a last step without a hold",
      steps: [step(5), step(null)],
      index: 1,
      phase: { state: "completed", nextAt: null },
    },
    {
      does: "runs during the hold of the last step",
      steps: [step(null), step(1)],
      index: 1,
      phase: { state: "running", nextAt: NOW + 60_000 },
    },
  ])("$does", ({ steps, index, phase }) => {
    expect(phaseAfter(steps, index, NOW)).toEqual(phase);
  });
});

const rule = (id: string, percentage: number): StoredRule => ({
  ...DEFAULT_STRATEGY,
  id,
  name: null,
  percentage,
  serve: { variant: "on" },
});
const strategy = { ...DEFAULT_STRATEGY, rules: [rule("a", 5), rule("b", 7)] };

describe("the percentage of a step", () => {
  it("is written into the strategy, which it turns on", () => {
    const after = atPercentage(strategy, null, 12.5);
    expect(after).toEqual({ ...strategy, enabled: true, percentage: 12.5 });
  });

  it("is written into one rule, and leaves everything else as it is", () => {
    const after = atPercentage(strategy, "b", 20);
    expect(after).toEqual({ ...strategy, rules: [rule("a", 5), rule("b", 20)] });
  });
});

describe("an abort", () => {
  it.each([null, "a"])("restores what the ramp has changed, of the rule %s", (ruleId) => {
    const before = { ...strategy, percentage: 3.125 };
    const after = atPercentage(before, ruleId, 50);
    expect(restored(after, ruleId, beforeRamp(before, ruleId))).toEqual(before);
  });
});
