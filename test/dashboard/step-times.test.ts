import { describe, expect, it } from "vitest";
import { progressOf, stepTimes } from "../../dashboard/src/features/flag-page/plans/step-times.ts";

const stepOf = (exactPercentage: number, holdMinutes: number | null) => ({
  exactPercentage,
  holdMinutes,
});
const RAMP = {
  steps: [stepOf(1, 60), stepOf(10, 120), stepOf(50, null), stepOf(100, 60)],
  step: 0,
  stepAt: "2026-01-02T09:00:00.000Z",
  nextAt: "2026-01-02T10:00:00.000Z",
};

describe("the steps of a ramp", () => {
  it("have times until somebody must continue", () => {
    expect(stepTimes(RAMP)).toEqual([
      undefined,
      "2026-01-02T10:00:00.000Z",
      "2026-01-02T12:00:00.000Z",
      undefined,
    ]);
    expect(stepTimes({ ...RAMP, nextAt: null })).toEqual(Array(4).fill(undefined));
  });

  it("have a progress between the beginning and the end of the hold", () => {
    const at = (time: string) => progressOf(RAMP, Date.parse(`2026-01-02T${time}:00.000Z`));
    expect([at("08:00"), at("09:15"), at("11:00")]).toEqual([0, 0.25, 1]);
    expect(progressOf({ ...RAMP, nextAt: null }, 0)).toBe(0);
    expect(progressOf({ ...RAMP, step: 3, nextAt: null }, 0)).toBe(1);
  });
});
