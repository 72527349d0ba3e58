import { METRIC_FAMILIES, type MetricFamily } from "./metric-families.ts";
import { distributionOf, type Series, seriesByFamily, seriesValue } from "./time-series.ts";

/** The content type of Prometheus' text format (prometheus.io/docs/instrumenting/exposition_formats). */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Returns all metrics in Prometheus' text format 0.0.4. `totals` contains the value of each sample
 * by the key of the sample.
 */
export function exposition(totals: ReadonlyMap<string, number>): string {
  const lines: string[] = [];
  for (const [name, series] of seriesByFamily(totals)) {
    const family: MetricFamily = METRIC_FAMILIES[name];
    lines.push(`# HELP ${name} ${escapedHelp(family.help)}`, `# TYPE ${name} ${family.type}`);
    for (const one of series) lines.push(...linesOf(name, family, one));
  }
  return `${lines.join("\n")}\n`;
}

function linesOf(name: string, family: MetricFamily, series: Series): string[] {
  const names = Object.keys(family.labels);
  const labels = names.map((label, at) => [label, series.values[at] ?? ""] as const);
  if (family.type !== "histogram") return [line(name, labels, seriesValue(series))];
  const { buckets, count, sum } = distributionOf(family, series);
  return [
    ...buckets.map(([le, n]) => line(`${name}_bucket`, [...labels, ["le", le]], n)),
    line(`${name}_sum`, labels, sum),
    line(`${name}_count`, labels, count),
  ];
}

function line(name: string, labels: readonly (readonly [string, string])[], value: number): string {
  const pairs = labels.map(([label, text]) => `${label}="${escapedValue(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
}

const escapedHelp = (text: string): string =>
  text.replaceAll("\\", String.raw`\\`).replaceAll("\n", String.raw`\n`);

const escapedValue = (text: string): string => escapedHelp(text).replaceAll('"', String.raw`\"`);
