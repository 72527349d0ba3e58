import { DAY_MS, HOUR_MS } from "../lib/time.ts";
import type { VariantCounts } from "../usage/message-types.ts";

export type Interval = "hour" | "day";

/** A period of usage data. `from` and `to` are epoch milliseconds, both inclusive. */
export interface Period {
  readonly from: number;
  readonly to: number;
  readonly interval: Interval;
}

/** How often a flag evaluated to true (`t`) and to false (`f`). */
export interface Counts {
  readonly t: number;
  readonly f: number;
}

/** A point of a time series: the counts of the hour or day that starts at `at`, epoch milliseconds. */
export interface Point extends Counts {
  readonly at: number;
}

export interface FlagPoint extends Point {
  readonly variants: VariantCounts;
}

/** The counts of all flags of an environment, and the part of them that is of boolean flags. */
export interface EnvironmentPoint extends Point {
  readonly boolean: Counts;
}

/** One row of the counts of all flags of an environment: `booleanT` of `t` are of boolean flags. */
export interface EnvironmentRow extends Point {
  readonly booleanT: number;
  readonly booleanF: number;
}

/**
 * One row of counts for a point of a series. If `variant` is null: how often the flag was true and
 * false. Otherwise: how often the variant was served (`n`).
 */
export interface PointPart extends Point {
  readonly variant: string | null;
  readonly n: number;
}

/** The length of an hour and of a day, milliseconds. */
export const LENGTH_MS: Readonly<Record<Interval, number>> = { hour: HOUR_MS, day: DAY_MS };

/** Returns the start, in UTC, of the hour or day that contains `at`, epoch milliseconds. */
export const startOf = (interval: Interval, at: number): number => at - (at % LENGTH_MS[interval]);

/** Returns a point for every hour or day of the period, in order. A point without counts has zeros. */
export function seriesOf({ from, to, interval }: Period, counted: readonly Point[]): Point[] {
  const known = new Map(counted.map((point) => [point.at, point]));
  const series: Point[] = [];
  for (let at = startOf(interval, from); at <= to; at += LENGTH_MS[interval])
    series.push(known.get(at) ?? { at, t: 0, f: 0 });
  return series;
}

/** Returns a point with the part of boolean flags for every hour or day of the period, in order. */
export function environmentSeriesOf(
  period: Period,
  rows: readonly EnvironmentRow[],
): EnvironmentPoint[] {
  const booleanAt = new Map(rows.map(({ at, booleanT: t, booleanF: f }) => [at, { t, f }]));
  return seriesOf(period, rows).map(({ at, t, f }) => ({
    at,
    t,
    f,
    boolean: booleanAt.get(at) ?? { t: 0, f: 0 },
  }));
}

/**
 * Returns a point with the counts by variant for every hour or day of the period, in order. The
 * parts may be in any order.
 */
export function flagSeriesOf(period: Period, parts: readonly PointPart[]): FlagPoint[] {
  const partsAt = Map.groupBy(parts, ({ at }) => at);
  const counted = Array.from(partsAt, ([at, some]) => ({ at, ...totalsOf(some) }));
  return seriesOf(period, counted).map(({ at, t, f }) => {
    const some = partsAt.get(at) ?? [];
    const served = some.flatMap(({ variant, n }) => (variant === null ? [] : [{ [variant]: n }]));
    return { at, t, f, variants: variantTotalsOf(served) };
  });
}

export function variantTotalsOf(counts: readonly VariantCounts[]): VariantCounts {
  const totals = new Map<string, number>();
  for (const [variant, n] of counts.flatMap(Object.entries<number>))
    totals.set(variant, (totals.get(variant) ?? 0) + n);
  return Object.fromEntries(totals);
}

export function totalsOf(series: readonly Counts[]): Counts {
  let [t, f] = [0, 0];
  for (const point of series) {
    t += point.t;
    f += point.f;
  }
  return { t, f };
}
