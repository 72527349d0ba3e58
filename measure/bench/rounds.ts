import { load } from "./load.ts";
import type { BenchOptions } from "./options.ts";
import type { Runtime } from "../../scripts/service/runtime.ts";
import type { Scenario } from "../../scripts/service/scenarios.ts";
import { cpuSeconds, idle } from "../../scripts/service/workerd.ts";
import { inOrder } from "../../scripts/lib/in-order.ts";

/**
 * A request and the two servers that respond to it: the service, and the bare Worker or the service
 * of another checkout.
 */
export interface Comparison {
  readonly flags: number;
  readonly scenario: Scenario;
  /** If set, the second server gets this request instead. */
  readonly other?: Scenario;
  /** The bytes of the response of the service, divided by those of the second server, if they differ. */
  readonly sizeRatio?: number;
  readonly service: Side;
  readonly bare: Side;
}

export interface Side {
  readonly runtime: Runtime;
  readonly port: number;
  readonly series: Series;
}

/** The measured values of one server, one per round. */
export interface Series {
  readonly requestsPerSecond: number[];
  /** The CPU time of the workerd process per request, microseconds. NaN where it cannot be read. */
  readonly cpuMicros: number[];
  /** The latencies of the requests of each round, milliseconds. */
  readonly latencies: number[][];
}

export const side = (runtime: Runtime, index = 0): Side => ({
  runtime,
  port: runtime.ports[index] ?? Number.NaN,
  series: { requestsPerSecond: [], cpuMicros: [], latencies: [] },
});

/** Merges several runs of the same comparisons into one run with the values of all runs. */
export function merged([
  first = [],
  ...others
]: readonly (readonly Comparison[])[]): readonly Comparison[] {
  for (const [index, comparison] of others.flatMap((comparisons) => [...comparisons.entries()])) {
    const into = first[index];
    if (!into) throw new Error("the runs have different comparisons");
    add(into.service.series, comparison.service.series);
    add(into.bare.series, comparison.bare.series);
  }
  return first;
}

function add(into: Series, { requestsPerSecond, cpuMicros, latencies }: Series): void {
  into.requestsPerSecond.push(...requestsPerSecond);
  into.cpuMicros.push(...cpuMicros);
  into.latencies.push(...latencies);
}

/**
 * Measures all comparisons in rounds. Discards the results of the first round, which warms up both
 * servers.
 */
export async function run(
  comparisons: readonly Comparison[],
  options: BenchOptions,
): Promise<void> {
  await inOrder(Array.from({ length: options.rounds + 1 }).keys(), async (round) => {
    const measurements = comparisons.flatMap(({ scenario, other = scenario, service, bare }) => {
      const pair = [
        { scenario, one: service },
        { scenario: other, one: bare },
      ];
      // Alternates the order of the servers, so that a drift of the machine's speed affects both
      // alike.
      return round % 2 === 0 ? pair : pair.toReversed();
    });
    await inOrder(measurements, ({ scenario, one }) => measure(one, scenario, options));
    if (round > 0) return;
    for (const { one } of measurements)
      for (const values of Object.values(one.series) as unknown[][]) values.length = 0;
  });
}

async function measure(
  { runtime, port, series }: Side,
  scenario: Scenario,
  { connections, seconds }: BenchOptions,
): Promise<void> {
  const before = cpuSeconds(runtime.pid) ?? Number.NaN;
  const result = await load(port, scenario, connections, seconds);
  if (scenario.worksLater) await idle(runtime.pid);
  const used = (cpuSeconds(runtime.pid) ?? Number.NaN) - before;
  series.requestsPerSecond.push(result.requests / result.seconds);
  series.cpuMicros.push((used * 1e6) / result.requests);
  series.latencies.push(result.latencies);
}
