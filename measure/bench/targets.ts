import type { BuildReport } from "./build.ts";
import type { StartReport } from "./start.ts";
import type { Comparison, Series } from "./rounds.ts";
import { median, ratios, spread } from "../../scripts/lib/statistics.ts";

export interface Findings {
  readonly comparisons: readonly Comparison[];
  readonly verdicts: readonly { readonly name: string; readonly nsPerVerdict: number }[];
  readonly build: BuildReport;
  readonly start: StartReport;
}

export interface Target {
  readonly name: string;
  readonly measured: string;
  readonly isMet: boolean;
}

/**
 * The highest acceptable CPU time for one evaluation of a flag, in nanoseconds. The keys are the
 * names of the cases in the evaluator's benchmark.
 */
const NS_PER_VERDICT = {
  "roll-out": 110,
  "roll-out and one `in` constraint": 120,
  "three rules and a weighted split": 400,
};

/** The least speed of requests by CPU time, as a share of that of the bare Worker. */
const BESIDE_BARE: readonly (readonly [flags: number, name: string, least: number])[] = [
  [100, "features 200", 0.92],
  [100, "features 304", 0.85],
  [100, "delta", 0.75],
  [100, "evaluate 10", 0.8],
  [100, "evaluate all", 0.7],
  [100, "evaluate 10, values of 1 KB", 0.65],
  [100, "OFREP all 200", 0.65],
  [100, "OFREP all 304", 0.75],
  [100, "OFREP one", 0.75],
  [5_000, "features 304", 0.83],
  [5_000, "evaluate all", 0.35],
];

/**
 * The most bytes, and the most CPU time in milliseconds, for the rules of 5,000 flags with values.
 */
const BUILD_BYTES = 8_000_000;
const BUILD_MS = 500;

/** The most CPU time of the Worker's start, milliseconds. */
const START_MS = 50;

/**
 * The least speed of the requests of Unleash SDKs, by CPU time, as a share of that of the requests of
 * other SDKs.
 */
const BESIDE = {
  "Unleash features 200": 0.9,
  "Unleash features 304": 0.95,
  "Unleash frontend 200": 0.8,
};

/** The share by which two medians must differ to count as different. */
const LEAST_NOISE = 0.05;

/** Returns the benchmark's targets, each with the measured value. */
export function targets(findings: Findings): Target[] {
  const { comparisons, verdicts, build, start } = findings;
  const comparison = (flags: number, name: string) =>
    comparisons.find((one) => one.flags === flags && one.scenario.name === name);
  return [
    ...BESIDE_BARE.map(([flags, name, least]): Target => {
      const cpu = cpuRatioOf(comparison(flags, name));
      return {
        name: `${name}, ${flags} flags: at least ${least.toFixed(2)} of the bare Worker, by CPU time`,
        measured: cpu.toFixed(2),
        isMet: cpu >= least,
      };
    }),
    ...Object.entries(BESIDE).map(([name, least]) => beside(comparison(100, name), name, least)),
    sameSpeed(comparison(5_000, "evaluate 10"), comparison(100, "evaluate 10")),
    ...Object.entries(NS_PER_VERDICT).map(([name, most]) => {
      const ns = verdicts.find((one) => one.name === name)?.nsPerVerdict ?? Number.NaN;
      return {
        name: `${name}: under ${most} ns per verdict`,
        measured: `${ns.toFixed(0)} ns`,
        isMet: ns < most,
      };
    }),
    {
      name: "5,000 flags with three rules and two variants: under 8 MB, built in under 500 ms of CPU",
      measured: `${(build.bytes / 1e6).toFixed(1)} MB, ${build.cpuMs.toFixed(0)} ms with the database`,
      isMet: build.bytes < BUILD_BYTES && build.cpuMs < BUILD_MS,
    },
    {
      name: `start until the first poll: under ${START_MS} ms of CPU`,
      measured: `${start.pollMs.toFixed(0)} ms`,
      isMet: start.pollMs < START_MS,
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
 * Returns the service's requests per second of CPU time, divided by those of the bare Worker. Other
 * processes do not affect the CPU time.
 */
export const cpuRatioOf = (comparison: Comparison | undefined): number =>
  comparison ? median(ratios(costs(comparison.bare), costs(comparison.service))) : Number.NaN;

/** Returns the target for a request that is compared with another request to the same service. */
function beside(comparison: Comparison | undefined, name: string, least: number): Target {
  const { other, sizeRatio } = comparison ?? {};
  const measured = cpuRatioOf(comparison) * (sizeRatio ?? 1);
  const unit = sizeRatio === undefined ? "" : ", for each byte";
  return {
    name: `${name}, 100 flags: at least ${least.toFixed(2)} of ${other?.name}, by CPU time${unit}`,
    measured: measured.toFixed(2),
    isMet: measured >= least,
  };
}

const costs = ({ series }: { readonly series: Series }) => series.cpuMicros;
const rates = ({ series }: { readonly series: Series }) => series.requestsPerSecond;

/**
 * Returns the target that the service is as fast with many flags as with few. The bare Worker does
 * about the same work for both, so the difference between its two results is noise.
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
