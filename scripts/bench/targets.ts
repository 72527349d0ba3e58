import type { CacheReport } from "./cache.ts";
import type { CountRow } from "./counts.ts";
import type { CacheSize } from "./heap.ts";
import type { Comparison, Series } from "./rounds.ts";
import { median, ratios, spread } from "./statistics.ts";

export interface Findings {
  readonly comparisons: readonly Comparison[];
  readonly verdicts: readonly { readonly name: string; readonly nsPerVerdict: number }[];
  readonly counts: readonly CountRow[];
  readonly cacheSize: CacheSize;
  readonly cache: CacheReport;
}

export interface Target {
  readonly name: string;
  readonly measured: string;
  readonly isMet: boolean;
}

const NS_PER_VERDICT = 150;

/** Medians that differ by less than this share count as equal. */
const LEAST_NOISE = 0.05;

/** The accepted ratio of the measured memory of the rule cache to the cache's limit. */
const SIZE_TOLERANCE = 1.25;

const MEGABYTE = 1024 * 1024;

/** Returns the benchmark's targets, each with the measured value. */
export function targets({ comparisons, verdicts, counts, cacheSize, cache }: Findings): Target[] {
  const comparison = (flags: number, name: string) =>
    comparisons.find((one) => one.flags === flags && one.scenario.name === name);
  const ratio = (name: string, least: number): Target => {
    const measured = ratioOf(comparison(100, name));
    const cpu = cpuRatioOf(comparison(100, name));
    return {
      name: `${name}, 100 flags: at least ${least.toFixed(2)} of the bare Worker`,
      measured: `${measured.toFixed(2)}; by CPU time ${cpu.toFixed(2)}`,
      isMet: measured >= least,
    };
  };
  const ns = verdicts.find(({ name }) => name.includes("one `in`"))?.nsPerVerdict ?? Number.NaN;
  const tooOften = counts.filter(({ oncePerSecond }) => !oncePerSecond);
  const [last] = cache.memory.slice(-1);
  return [
    ratio("features 200", 0.7),
    ratio("features 304", 0.7),
    ratio("evaluate 10", 0.5),
    sameSpeed(comparison(5_000, "evaluate 10"), comparison(100, "evaluate 10")),
    {
      name: `roll-out and \`in\`: under ${NS_PER_VERDICT} ns per verdict`,
      measured: `${ns.toFixed(0)} ns`,
      isMet: ns < NS_PER_VERDICT,
    },
    {
      name: "at most one D1 statement per key, second and isolate",
      measured:
        tooOften.length === 0
          ? "met by all requests"
          : `exceeded by ${tooOften.map((row) => row.name).join(", ")}`,
      isMet: tooOften.length === 0,
    },
    {
      name: "rule cache: reports at most 32 MB, and holds at most 25 % more",
      measured: `${megabytes(cacheSize.reported)} reported, ${megabytes(cacheSize.held)} held`,
      isMet:
        cacheSize.reported <= cacheSize.limit && cacheSize.held <= cacheSize.limit * SIZE_TOLERANCE,
    },
    {
      name: "rule cache: evicts the least recently used rules",
      measured: `KV reads: ${cache.kvReads.last} for the last environment, ${cache.kvReads.first} for the first; isolate ${megabytes(last?.heapBytes)}`,
      isMet: cache.kvReads.last === 0 && cache.kvReads.first > 0,
    },
  ];
}

/**
 * Returns the requests per second of the service divided by those of the bare Worker, as the median
 * of the rounds. NaN without a comparison.
 */
export const ratioOf = (comparison: Comparison | undefined): number =>
  comparison ? median(ratios(rates(comparison.service), rates(comparison.bare))) : Number.NaN;

/**
 * Returns the ratio of the requests per second of CPU time, which other processes do not affect.
 */
export const cpuRatioOf = (comparison: Comparison | undefined): number =>
  comparison ? median(ratios(costs(comparison.bare), costs(comparison.service))) : Number.NaN;

const costs = ({ series }: { readonly series: Series }) => series.cpuMicros;
const rates = ({ series }: { readonly series: Series }) => series.requestsPerSecond;

/**
 * Returns the target that the service is as fast with many flags as with few. The bare Worker does
 * about the same work for both, so the spread of its two results is the noise.
 */
function sameSpeed(large: Comparison | undefined, small: Comparison | undefined): Target {
  const name = "evaluate 10: no slower at 5,000 flags than at 100 beyond noise";
  if (!large || !small) return { name, measured: "not measured", isMet: false };
  const service = ratios(rates(large.service), rates(small.service));
  const noise = Math.max(LEAST_NOISE, spread(ratios(rates(large.bare), rates(small.bare))));
  const cpu = median(ratios(costs(small.service), costs(large.service)));
  const measured = `${median(service).toFixed(2)}, noise ${noise.toFixed(2)}; by CPU time ${cpu.toFixed(2)}`;
  return { name, measured, isMet: median(service) >= 1 - noise };
}

export const megabytes = (bytes: number | undefined): string =>
  bytes === undefined ? "n/a" : `${(bytes / MEGABYTE).toFixed(0)} MB`;
