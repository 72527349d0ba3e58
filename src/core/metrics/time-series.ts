import { METRIC_FAMILIES, type MetricFamily, type FamilyName } from "./metric-families.ts";
import { boundText, INFINITE_BOUND, parseSampleKey, SUM_PART, VALUE_PART } from "./registry.ts";

/** One series of a family, with its numbers by part (see `Sample`). */
export interface Series {
  /** In the order of the family's labels. */
  readonly values: readonly string[];
  readonly parts: ReadonlyMap<string, number>;
}

/** How many fell into each bucket or a smaller one, by its bound. */
export interface Distribution {
  readonly buckets: readonly (readonly [le: string, count: number])[];
  readonly count: number;
  readonly sum: number;
}

const NAMES = Object.keys(METRIC_FAMILIES) as FamilyName[];
export const isFamily = (name: string): name is FamilyName => Object.hasOwn(METRIC_FAMILIES, name);
const familyOf = (name: FamilyName): MetricFamily => METRIC_FAMILIES[name];

/**
 * The series of every family, sorted; with zeros for those that are known beforehand, so that a
 * first increase shows. What belongs to no family, as of another release, is left out.
 */
export function seriesByFamily(
  sums: ReadonlyMap<string, number>,
): ReadonlyMap<FamilyName, readonly Series[]> {
  const found = new Map(NAMES.map((name) => [name, knownSeries(familyOf(name))]));
  for (const [key, n] of sums) {
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

/** Of a counter or a gauge. */
export const seriesValue = ({ parts }: Series): number => parts.get(VALUE_PART) ?? 0;

/** Of a histogram. What was counted by a bound that it no longer has is in the next one. */
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
