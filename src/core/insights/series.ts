import { DAY_MS, HOUR_MS } from "../lib/time.ts";

export type Interval = "hour" | "day";

/** Epoch milliseconds, both inclusive. */
export interface Period {
  readonly from: number;
  readonly to: number;
  readonly interval: Interval;
}

/** How often a flag was true (`t`) and false (`f`). */
export interface Counts {
  readonly t: number;
  readonly f: number;
}

/** The counts of the hour or day that starts at `at`, epoch milliseconds. */
export interface Point extends Counts {
  readonly at: number;
}

export const LENGTH_MS: Readonly<Record<Interval, number>> = { hour: HOUR_MS, day: DAY_MS };

/** The start of the hour or day in UTC that contains `at`, epoch milliseconds. */
export const startOf = (interval: Interval, at: number): number => at - (at % LENGTH_MS[interval]);

/** A point for every hour or day of the period, in order, with zeros where nothing was counted. */
export function seriesOf({ from, to, interval }: Period, counted: readonly Point[]): Point[] {
  const known = new Map(counted.map((point) => [point.at, point]));
  const series: Point[] = [];
  for (let at = startOf(interval, from); at <= to; at += LENGTH_MS[interval])
    series.push(known.get(at) ?? { at, t: 0, f: 0 });
  return series;
}

export function totalsOf(series: readonly Counts[]): Counts {
  let [t, f] = [0, 0];
  for (const point of series) {
    t += point.t;
    f += point.f;
  }
  return { t, f };
}
