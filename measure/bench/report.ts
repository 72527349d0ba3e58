import type { BuildReport } from "./build.ts";
import type { Bundle } from "../../scripts/service/bundle.ts";
import type { StartReport } from "./start.ts";
import type { Comparison } from "./rounds.ts";
import { median, quantile } from "../../scripts/lib/statistics.ts";
import { cpuRatioOf, ratioOf } from "./targets.ts";

/** A table. The first row is the header. */
export type Table = readonly (readonly string[])[];

export function comparisonTable(comparisons: readonly Comparison[]): Table {
  return [
    [
      "flags",
      "request",
      "ratio",
      "CPU ratio",
      "req/s",
      "µs CPU",
      "p50 ms",
      "p99 ms",
      "bare p50",
      "bare p99",
    ],
    ...comparisons.map((comparison) => {
      const { flags, scenario, service, bare } = comparison;
      const [mine, theirs] = [service.series.latencies.flat(), bare.series.latencies.flat()];
      return [
        String(flags),
        scenario.name,
        ratioOf(comparison).toFixed(2),
        cpuRatioOf(comparison).toFixed(2),
        median(service.series.requestsPerSecond).toFixed(0),
        median(service.series.cpuMicros).toFixed(0),
        ...[quantile(mine, 0.5), quantile(mine, 0.99)].map((ms) => ms.toFixed(1)),
        ...[quantile(theirs, 0.5), quantile(theirs, 0.99)].map((ms) => ms.toFixed(1)),
      ];
    }),
  ];
}

/** Returns a line with the geometric means of the ratios of all requests. */
export function meanLine(comparisons: readonly Comparison[]): string {
  const mean = (ratios: readonly number[]) =>
    Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length).toFixed(3);
  return `All requests: ${mean(comparisons.map(ratioOf))}; by CPU time: ${mean(comparisons.map(cpuRatioOf))}`;
}

const share = (part: readonly number[], whole: readonly number[], at: number) =>
  (quantile(part, at) / quantile(whole, at)).toFixed(2);

/**
 * Returns the table of docs/build/performance.md: ratios only, because absolute numbers depend on
 * the machine.
 */
export function ratioTable(comparisons: readonly Comparison[]): Table {
  return [
    ["flags", "request", "requests/s", "per CPU second", "p50", "p99"],
    ...comparisons.map((comparison) => {
      const [mine, theirs] = [comparison.service, comparison.bare].map(({ series }) =>
        series.latencies.flat(),
      );
      return [
        comparison.flags.toLocaleString("en"),
        comparison.scenario.name,
        ratioOf(comparison).toFixed(2),
        cpuRatioOf(comparison).toFixed(2),
        share(mine ?? [], theirs ?? [], 0.5),
        share(mine ?? [], theirs ?? [], 0.99),
      ];
    }),
  ];
}

export const buildTable = ({ flags, bytes, cpuMs }: BuildReport): Table => [
  ["flags", "bytes of JSON", "CPU of the first response"],
  [flags.toLocaleString("en"), bytes.toLocaleString("en"), `${cpuMs.toFixed(0)} ms`],
];

export const bundleLine = ({ bytes, gzipBytes }: Bundle): string =>
  `Bundle: ${(gzipBytes / 1024).toFixed(0)} KiB gzipped, ${(bytes / 1024).toFixed(0)} KiB plain`;

export const startLine = ({ pollMs, managementMs }: StartReport): string =>
  `CPU of the start until the first poll: ${pollMs.toFixed(0)} ms more than an empty Worker; ` +
  `of the first management request: ${managementMs.toFixed(0)} ms`;

/** Formats a table for the terminal, with every column padded to its widest cell. */
export function text(table: Table): string {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return table.map((row) => line(row).trimEnd()).join("\n");
}

const markdownRow = (row: readonly string[]) => `| ${row.join(" | ")} |`;

export function markdown([head = [], ...rows]: Table): string {
  return [head, head.map(() => "---"), ...rows].map(markdownRow).join("\n");
}
