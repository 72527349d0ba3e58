import {
  type CounterName,
  METRIC_FAMILIES,
  type MetricFamily,
  type FamilyName,
  type GaugeName,
  type HistogramName,
  type LabelsOf,
} from "./metric-families.ts";

/**
 * A sample: one number of a time series, with the key that `sampleKey` returns. Samples with the
 * same key are added up.
 */
export type Sample = readonly [key: string, n: number];

/**
 * The names of the parts of a time series. A counter and a gauge have only the value. A histogram
 * has the sum and one part for each bucket. The name of a bucket's part is the upper bound.
 */
export const VALUE_PART = "";
export const SUM_PART = "sum";
/** The text for the upper bound of a histogram's last bucket (infinity), as Prometheus writes it. */
export const INFINITE_BOUND = "+Inf";

/**
 * Returns the key of a sample: the metric family, the values of its labels in the order of the
 * family, and the part of the time series.
 */
export const sampleKey = (family: string, values: readonly string[], part: string): string =>
  JSON.stringify([family, values, part]);

/** Parses a key that `sampleKey` made. */
export const parseSampleKey = (key: string) =>
  JSON.parse(key) as [family: string, values: string[], part: string];

interface Series {
  /** Returns the increase of each part of the time series since the last call, and starts again from zero. */
  take(): Iterable<readonly [part: string, n: number]>;
}

/** A counter: the sum of what was added since the last `take`. */
export class Counter implements Series {
  #value = 0;

  add(n = 1): void {
    this.#value += n;
  }

  take() {
    const value = this.#value;
    this.#value = 0;
    return [[VALUE_PART, value] as const];
  }
}

/** A gauge: a value that rises and falls, such as the number of calls in progress. */
export class Gauge {
  #value = 0;

  add(n: number): void {
    this.#value += n;
  }

  get value(): number {
    return this.#value;
  }
}

/** A histogram: counts observations by size. */
export class Histogram implements Series {
  readonly #bounds: Float64Array;
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = Float64Array.from([...bounds, Infinity]);
    this.#counts = new Float64Array(this.#bounds.length);
  }

  /**
   * Counts `value` in the first bucket whose bound is not lower than `value`. A negative value counts as 0.
   */
  observe(value: number): void {
    // Counts a negative duration as 0. A duration is negative when a clock was set back, and
    // Prometheus requires a sum that never decreases.
    const size = value > 0 ? value : 0;
    const bounds = this.#bounds;
    let at = 0;
    while (size > (bounds[at] ?? Infinity)) at += 1;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += size;
  }

  take() {
    const parts: (readonly [string, number])[] = [[SUM_PART, this.#sum]];
    for (const [at, count] of this.#counts.entries())
      parts.push([boundText(this.#bounds[at] ?? Infinity), count]);
    this.#sum = 0;
    this.#counts.fill(0);
    return parts;
  }
}

/** Returns a bucket's bound as the value of the label `le`. */
export const boundText = (bound: number): string =>
  bound === Infinity ? INFINITE_BOUND : String(bound);

/**
 * The metrics of one isolate: what its counters and histograms recorded since the last `take`, and
 * the current values of its gauges. Look up a counter or a histogram once and keep it, because
 * every poll of an SDK records metrics.
 */
export class MetricsRegistry {
  readonly #series = new Map<string, readonly [FamilyName, readonly string[], Series]>();
  readonly #gauges = new Map<string, Gauge>();

  counter<N extends CounterName>(name: N, labels: LabelsOf<N>): Counter {
    return this.#find(name, labels, () => new Counter());
  }

  histogram<N extends HistogramName>(name: N, labels: LabelsOf<N>): Histogram {
    return this.#find(name, labels, () => new Histogram(METRIC_FAMILIES[name].buckets));
  }

  gauge<N extends GaugeName>(name: N, labels: LabelsOf<N>): Gauge {
    const key = sampleKey(name, valuesOf(name, labels), VALUE_PART);
    const gauge = this.#gauges.get(key) ?? new Gauge();
    this.#gauges.set(key, gauge);
    return gauge;
  }

  /**
   * Returns what the counters and histograms recorded since the last call, without zeros, and
   * starts again from zero.
   */
  take(): Sample[] {
    const taken: Sample[] = [];
    for (const [family, values, series] of this.#series.values())
      for (const [part, n] of series.take())
        if (n !== 0) taken.push([sampleKey(family, values, part), n]);
    return taken;
  }

  /** Returns the current values of the gauges that are not zero. */
  gauges(): Sample[] {
    return [...this.#gauges].flatMap(([key, { value }]) => (value === 0 ? [] : [[key, value]]));
  }

  #find<S extends Series>(name: FamilyName, labels: object, make: () => S): S {
    const values = valuesOf(name, labels);
    const id = sampleKey(name, values, VALUE_PART);
    const known = this.#series.get(id)?.[2] as S | undefined;
    if (known) return known;
    const series = make();
    this.#series.set(id, [name, values, series]);
    return series;
  }
}

/** Returns the label values in the order of the family's labels. */
function valuesOf(name: FamilyName, labels: object): string[] {
  const family: MetricFamily = METRIC_FAMILIES[name];
  const given = new Map<string, string>(Object.entries(labels));
  return Object.keys(family.labels).map((label) => given.get(label) ?? "");
}
