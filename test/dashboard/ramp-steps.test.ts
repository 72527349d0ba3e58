import { expect, it } from "vitest";
import {
  firstSteps,
  lostAtStart,
} from "../../dashboard/src/features/flag-page/plans/ramp-steps.ts";

const percentages = (from: number, goal: number) =>
  firstSteps(from, goal).map(({ percentage }) => percentage);

it("a new ramp proposes only steps above the present percentage", () => {
  expect(percentages(0, 100)).toEqual([1, 10, 50, 100]);
  expect(percentages(25, 100)).toEqual([50, 100]);
  expect(percentages(25, 50)).toEqual([50]);
});

it("a first step below the present percentage takes the flag from the difference", () => {
  expect(lostAtStart([{ percentage: 10 }, { percentage: 50 }], 25)).toBe(15);
  expect(lostAtStart([{ percentage: 50 }, { percentage: 10 }], 25)).toBe(0);
});
