import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  flagSeriesOf,
  seriesOf,
  startOf,
  totalsOf,
  variantTotalsOf,
} from "../../../src/core/insights/series.ts";

const at = (text: string) => Date.parse(`2026-03-${text}Z`);
const hours = (from: string, to: string) => ({
  from: at(from),
  to: at(to),
  interval: "hour" as const,
});

describe("seriesOf", () => {
  it("has a point for every hour of the period, with zeros for hours without counts", () => {
    const counted = [{ at: at("29T02:00"), t: 3, f: 1 }];
    expect(seriesOf(hours("29T00:59:59.999", "29T03:00"), counted)).toEqual([
      { at: at("29T00:00"), t: 0, f: 0 },
      { at: at("29T01:00"), t: 0, f: 0 },
      { at: at("29T02:00"), t: 3, f: 1 },
      { at: at("29T03:00"), t: 0, f: 0 },
    ]);
  });

  it("has its last point at the hour in which the period ends", () => {
    const series = seriesOf(hours("29T01:00", "29T02:59:59.999"), []);
    expect(series.map((point) => point.at)).toEqual([at("29T01:00"), at("29T02:00")]);
  });

  it("has one point when the period starts and ends at the same moment", () => {
    const series = seriesOf(hours("29T01:30", "29T01:30"), []);
    expect(series.map((point) => point.at)).toEqual([at("29T01:00")]);
  });

  it("starts days at midnight UTC, also on the day on which daylight saving time begins in Europe", () => {
    const period = { from: at("28T22:15"), to: at("30T00:00"), interval: "day" as const };
    const series = seriesOf(period, [{ at: at("29T00:00"), t: 0, f: 9 }]);
    expect(series).toEqual([
      { at: at("28T00:00"), t: 0, f: 0 },
      { at: at("29T00:00"), t: 0, f: 9 },
      { at: at("30T00:00"), t: 0, f: 0 },
    ]);
  });

  it("has no gaps, and covers both ends of the period, for random periods", () => {
    const moment = fc.integer({ min: 0, max: 20 * 86_400_000 });
    const any = fc.record({
      ends: fc.tuple(moment, moment),
      interval: fc.constantFrom("hour" as const, "day" as const),
    });
    const property = fc.property(any, ({ ends, interval }) => {
      const [from, to] = [Math.min(...ends), Math.max(...ends)];
      const series = seriesOf({ from, to, interval }, []);
      const length = interval === "hour" ? 3_600_000 : 86_400_000;
      const steps = series.slice(1).map((point, n) => point.at - (series[n]?.at ?? 0));
      expect(new Set(steps).size).toBeLessThanOrEqual(1);
      expect(steps[0] ?? length).toBe(length);
      expect(series[0]?.at).toBe(startOf(interval, from));
      expect(series.at(-1)?.at).toBe(startOf(interval, to));
    });
    fc.assert(property);
  });
});

describe("flagSeriesOf", () => {
  const first = at("29T00:00");
  const second = at("29T01:00");
  const counts = (time: number, t: number, f: number) => ({ at: time, variant: null, t, f, n: 0 });
  const served = (time: number, variant: string, n: number) => ({
    at: time,
    variant,
    t: 0,
    f: 0,
    n,
  });

  it("puts the counts by variant into the point of their hour, in any order of the parts", () => {
    const parts = [
      served(second, "blue", 2),
      counts(first, 3, 1),
      served(first, "__proto__", 3),
      served(first, "blue", 1),
    ];
    const expected = [
      { at: first, t: 3, f: 1, variants: { blue: 1, ["__proto__"]: 3 } },
      { at: second, t: 0, f: 0, variants: { blue: 2 } },
      { at: at("29T02:00"), t: 0, f: 0, variants: {} },
    ];
    const period = hours("29T00:00", "29T02:00");
    expect(flagSeriesOf(period, parts)).toEqual(expected);
    expect(flagSeriesOf(period, parts.toReversed())).toEqual(expected);
  });
});

it("variantTotalsOf adds up the counts of each variant", () => {
  const counts = [{ blue: 1, grey: 20 }, {}, { blue: 2, ["__proto__"]: 5 }];
  expect(variantTotalsOf(counts)).toEqual({ blue: 3, grey: 20, ["__proto__"]: 5 });
  expect(variantTotalsOf([])).toEqual({});
});

it("totalsOf adds up how often flags were true and how often they were false", () => {
  const counts = [
    { t: 1, f: 20 },
    { t: 2, f: 0 },
    { t: 0, f: 5 },
  ];
  expect(totalsOf(counts)).toEqual({ t: 3, f: 25 });
  expect(totalsOf([])).toEqual({ t: 0, f: 0 });
});
