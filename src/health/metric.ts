import {
  METRIC_FAMILIES,
  type MetricFamily,
  type FamilyName,
} from "../core/metrics/metric-families.ts";
import {
  distributionOf,
  type Series,
  seriesByFamily,
  seriesValue,
} from "../core/metrics/time-series.ts";

/**
 * One metric in the format of Spring Boot's actuator: the sum of all its time series that have the
 * given tags.
 */
export interface Metric {
  readonly name: string;
  readonly description: string;
  readonly baseUnit: "seconds" | null;
  readonly measurements: Measurement[];
  /** The labels that are not among the given tags, each with its values in the selected time series. */
  readonly availableTags: { readonly tag: string; readonly values: string[] }[];
}

interface Measurement {
  readonly statistic: "COUNT" | "TOTAL_TIME" | "VALUE";
  readonly value: number;
}

export interface Tag {
  readonly tag: string;
  readonly value: string;
}

/** Returns the metric `name`; undefined when tags are given and no series has all of them. */
export function metricOf(
  totals: ReadonlyMap<string, number>,
  name: FamilyName,
  tags: readonly Tag[],
): Metric | undefined {
  const family: MetricFamily = METRIC_FAMILIES[name];
  const labels = Object.keys(family.labels);
  const isWanted = ({ values }: Series) =>
    tags.every(({ tag, value }) => values[labels.indexOf(tag)] === value);
  const series = (seriesByFamily(totals).get(name) ?? []).filter(isWanted);
  if (tags.length > 0 && series.length === 0) return undefined;
  const valuesAt = (at: number) => [...new Set(series.map(({ values }) => values[at] ?? ""))];
  return {
    name,
    description: family.help,
    baseUnit: family.type === "histogram" ? "seconds" : null,
    measurements: measurementsOf(family, series),
    availableTags: labels.flatMap((tag, at) =>
      tags.some((given) => given.tag === tag) ? [] : [{ tag, values: valuesAt(at).toSorted() }],
    ),
  };
}

function measurementsOf(family: MetricFamily, series: readonly Series[]): Measurement[] {
  const total = (of: (one: Series) => number) => series.reduce((sum, one) => sum + of(one), 0);
  if (family.type === "gauge") return [{ statistic: "VALUE", value: total(seriesValue) }];
  if (family.type === "counter") return [{ statistic: "COUNT", value: total(seriesValue) }];
  return [
    { statistic: "COUNT", value: total((one) => distributionOf(family, one).count) },
    { statistic: "TOTAL_TIME", value: total((one) => distributionOf(family, one).sum) },
  ];
}
