import { expect, it } from "vitest";
import { ticksUpTo } from "../../dashboard/src/shared/charts/axis.ts";

it.each([
  [0, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [42, [0, 10, 20, 30, 40, 50]],
  [1000, [0, 200, 400, 600, 800, 1000]],
  [123_456, [0, 50_000, 100_000, 150_000]],
])("the axis of a chart up to %i has round lines that include it", (max, ticks) => {
  expect(ticksUpTo(max)).toEqual(ticks);
});
