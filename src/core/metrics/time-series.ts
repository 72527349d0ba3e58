import { type FamilyName, METRIC_FAMILIES, type MetricFamily } from "./metric-families.ts";
import { boundText, INFINITE_BOUND, parseSampleKey, SUM_PART, VALUE_PART } from "./registry.ts";

/** One time series: the values of its labels, and its samples. */
export interface Series {
  /** The label values of the time series, in the order of the family's labels. */
  readonly values: readonly string[];
  /** The numbers of the time series, by their part (see `sampleKey`). */
  readonly parts: ReadonlyMap<string, number>;
}

/** A histogram as Prometheus exports it: cumulative buckets. */
export interface Distribution {
  /** For each bound `le`: the number of observations that were at most `le`. */
  readonly buckets: readonly (readonly [le: string, count: number])[];
  readonly count: number;
  readonly sum: number;
}

const NAMES = Object.keys(METRIC_FAMILIES) as FamilyName[];
export const isFamily = (name: string): name is FamilyName => Object.hasOwn(METRIC_FAMILIES, name);
const familyOf = (name: FamilyName): MetricFamily => METRIC_FAMILIES[name];

/**
 * Returns the time series of every metric family, sorted by their label values. Series whose labels
 * are known beforehand start at zero, so that their first increase is visible. Samples of families
 * or labels that only another release knows are left out.
 */
export function seriesByFamily(
  totals: ReadonlyMap<string, number>,
): ReadonlyMap<FamilyName, readonly Series[]> {
  const found = new Map(NAMES.map((name) => [name, knownSeries(familyOf(name))]));
  for (const [key, n] of totals) {
    const [name, values, part] = parseSampleKey(key);
    const series = isFamily(name) ? found.get(name) : undefined;
    if (!series || !isFamily(name)) continue;
    if (values.length !== Object.keys(familyOf(name).labels).length) continue;
    const id = JSON.stringify(values);
    const one = series.get(id) ?? { values, parts: new Map() };
    one.parts.set(part, n);
    series.set(id, one);
  }
  return new Map([...found].map(([name, series]) => [name, sorted(series)]));
}

type Found = Map<
  string,
  { readonly values: readonly string[]; readonly parts: Map<string, number> }
>;

function knownSeries({ labels }: MetricFamily): Found {
  let lists: (readonly string[])[] = [[]];
  for (const values of Object.values(labels))
    lists = lists.flatMap((list) => values.map((value) => list.concat(value)));
  return new Map(lists.map((values) => [JSON.stringify(values), { values, parts: new Map() }]));
}

const sorted = (series: Found): Series[] =>
  [...series].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);

export const seriesValue = ({ parts }: Series): number => parts.get(VALUE_PART) ?? 0;

/**
 * Returns the cumulative buckets, the count and the sum of a histogram. Counts stored under a bound
 * that the family no longer has are added to the next higher bound.
 */
export function distributionOf({ buckets = [] }: MetricFamily, { parts }: Series): Distribution {
  const sizes = [...parts].flatMap(([part, n]) =>
    part === SUM_PART ? [] : [[boundOf(part), n] as const],
  );
  const upTo = (bound: number) =>
    sizes.reduce((sum, [size, n]) => (size <= bound ? sum + n : sum), 0);
  const count = upTo(Infinity);
  return {
    buckets: [...buckets, Infinity].map((bound) => [boundText(bound), upTo(bound)]),
    count,
    sum: parts.get(SUM_PART) ?? 0,
  };
}

const boundOf = (part: string): number => (part === INFINITE_BOUND ? Infinity : Number(part));
