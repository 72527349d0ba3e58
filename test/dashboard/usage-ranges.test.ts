import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  comparedIds,
  periodOf,
  problemOf,
  rangeOf,
  validateUsageSearch,
} from "../../dashboard/src/shared/charts/usage-ranges.ts";
import { dateOf, DAY_MS } from "../../dashboard/src/shared/time.ts";

const NOW = Date.parse("2026-07-15T10:20:30Z");

describe("the period of a range, in the time zone Europe/Berlin", () => {
  const before = process.env["TZ"];
  beforeAll(() => {
    process.env["TZ"] = "Europe/Berlin";
  });
  afterAll(() => {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  });

  it("has hours of whole days of the browser for up to 7 days", () => {
    expect(periodOf({ from: "2026-07-09", to: "2026-07-15" }, NOW)).toEqual({
      interval: "hour",
      from: "2026-07-08T22:00:00.000Z",
      to: "2026-07-15T21:59:59.999Z",
    });
  });

  it("has days in UTC for more than 7 days, and for days whose hours are not kept any more", () => {
    for (const days of [
      { from: "2026-07-08", to: "2026-07-15" },
      { from: "2026-04-01", to: "2026-04-02" },
    ])
      expect(periodOf(days, NOW)).toEqual({ interval: "day", ...days });
  });

  it("of 7 days begins 7 days ago, and those of 24 hours and 30 days are the defaults of the API", () => {
    expect(periodOf("7d", NOW)).toEqual({ interval: "hour", from: "2026-07-08T10:20:30.000Z" });
    expect(periodOf("24h", NOW)).toEqual({ interval: "hour" });
    expect(periodOf("30d", NOW)).toEqual({ interval: "day" });
  });
});

it.each([
  ["2026-07-01", "2026-07-15", undefined],
  ["2026-07-15", "2026-07-15", undefined],
  ["", "2026-07-15", "missing"],
  ["2026-07-15", "", "missing"],
  ["2026-07-15", "2026-07-14", "order"],
  ["2026-07-15", "2026-07-16", "future"],
  ["2024-07-15", "2026-07-14", undefined],
  ["2024-07-14", "2026-07-14", "old"],
])("the problem of the days from %j to %j is %j", (from, to, problem) => {
  expect(problemOf({ from, to }, NOW)).toBe(problem);
});

describe("the range of a URL", () => {
  const today = dateOf(Date.now());
  const yesterday = dateOf(Date.now() - DAY_MS);

  it("has days, whatever the named range is", () => {
    const search = validateUsageSearch({ range: "7d", from: yesterday, to: today });
    expect(search).toEqual({ range: undefined, from: yesterday, to: today, compare: undefined });
    expect(rangeOf(search)).toEqual({ from: yesterday, to: today });
  });

  it.each([
    { from: today, to: yesterday },
    { from: yesterday },
    { from: "1999-01-01", to: today },
    { from: yesterday, to: "x" },
  ])("drops the days %j, which have a problem", (days) => {
    expect(rangeOf(validateUsageSearch({ ...days, range: "7d" }))).toBe("7d");
  });

  it("is 24 hours by default, which the URL leaves out", () => {
    expect(validateUsageSearch({ range: "24h", compare: "x" })).toEqual({});
    expect(rangeOf({})).toBe("24h");
  });
});

it("the page compares an environment only with another environment of the same project", () => {
  const environments = [{ id: 1 }, { id: 2 }];
  expect(comparedIds(1, environments, { compare: 2 })).toEqual([1, 2]);
  for (const compare of [undefined, 1, 3])
    expect(comparedIds(1, environments, { compare })).toEqual([1]);
});
