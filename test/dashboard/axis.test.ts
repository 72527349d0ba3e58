import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ticksUpTo, timeMarks } from "../../dashboard/src/shared/charts/axis.ts";

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

describe("the labels of a time axis, in the time zone Europe/Berlin", () => {
  const before = process.env["TZ"];
  beforeAll(() => {
    process.env["TZ"] = "Europe/Berlin";
  });
  afterAll(() => {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  });

  const hours = (from: string, count: number) =>
    Array.from({ length: count }, (_, n) =>
      new Date(Date.parse(from) + n * 3_600_000).toISOString(),
    );
  const marks = (...[times, interval, distance]: Parameters<typeof timeMarks>) =>
    timeMarks(times, interval, distance).map(({ index, hasHour, hasDay }) => [
      index,
      hasHour,
      hasDay,
    ]);

  it("are round hours, with the day below the first hour of each day", () => {
    expect(marks(hours("2026-07-01T14:00Z", 24), "hour", 4)).toEqual([
      [2, true, true],
      [8, true, true],
      [14, true, false],
      [20, true, false],
    ]);
  });

  it("are days where they begin if hours have no room, also where the clocks change", () => {
    expect(marks(hours("2026-10-24T10:00Z", 80), "hour", 13)).toEqual([
      [12, false, true],
      [37, false, true],
      [61, false, true],
    ]);
    expect(marks(hours("2026-07-01T10:00Z", 80), "hour", 40)).toEqual([
      [12, false, true],
      [60, false, true],
    ]);
  });

  it("are days at an even distance if each bar is a day", () => {
    const days = ["2026-07-01", "2026-07-02", "2026-07-03"];
    expect(marks(days, "day", 2)).toEqual([
      [0, false, true],
      [2, false, true],
    ]);
  });
});
