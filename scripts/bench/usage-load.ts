import { setTimeout } from "node:timers/promises";
import { Session } from "../lib/api.ts";
import { signInOf } from "../lib/sign-in.ts";
import { type Build, seededService } from "./comparisons.ts";
import { fixtureFlags } from "./fixtures.ts";
import { inspect } from "./inspector.ts";
import { loadCount, type LoadResult } from "./load.ts";
import type { Table } from "./report.ts";
import { SECRETS } from "./runtime.ts";
import { ask, features, REPORTED_COUNTS, reportedFlags, usageReport } from "./scenarios.ts";
import { quantile } from "./statistics.ts";
import { megabytes } from "./targets.ts";
import { residentBytes } from "./workerd.ts";

const FLAGS = 100;
const CONNECTIONS = 64;
/** After this time the run ends, even if it has not sent all reports. */
const MAX_SECONDS = 180;
const SAMPLE_MS = 500;
/** Sums are final when they have not changed for this long: longer than usage waits anywhere. */
const RIGHT_MS = 20_000;
/** Wrong sums may still change for longer: the queue delivers a failed message again after 30 s. */
const WRONG_MS = 75_000;

export interface LoadReport {
  readonly reports: number;
  /** The reports that were not answered with 202. The service may have counted them. */
  readonly refused: number;
  readonly seconds: number;
  readonly latencies: readonly number[];
  /** The time from the last response until all reports were counted, seconds. */
  readonly secondsUntilCounted: number;
  /** The resident memory of the workerd process: at the start, at most, and when all was counted. */
  readonly resident: readonly (number | undefined)[];
  /** The heap of the isolate with the Worker and its Durable Objects, bytes. */
  readonly heapBytes: readonly number[];
  /** The flags whose counts differ from those of the accepted reports. */
  readonly wrong: readonly string[];
}

/**
 * Sends usage reports as fast as the service takes them, then compares the sums with what was
 * accepted.
 */
export async function loadUsage(build: Build, reports: number): Promise<LoadReport> {
  const flags = fixtureFlags(FLAGS);
  const options = { consumes: true, inspected: true, silent: true };
  const service = await seededService(build, flags, 1, options);
  const port = service.ports[0] ?? Number.NaN;
  const inspector = await inspect(service.miniflare, () => ask(port, features()));
  const resident = () => residentBytes(service.pid);
  try {
    await ask(port, features());
    const [heapBefore, before] = [await inspector.heapBytes(), resident()];
    let most = 0;
    const sampling = setInterval(() => {
      most = Math.max(most, resident() ?? 0);
    }, SAMPLE_MS);
    const amount = { count: reports, maxSeconds: MAX_SECONDS };
    const result = await loadCount(port, usageReport(flags), CONNECTIONS, amount);
    const loaded = performance.now();
    const { wrong, since } = await finalSums(port, result);
    clearInterval(sampling);
    const after = resident();
    return {
      reports: result.requests,
      refused: result.refused,
      seconds: result.seconds,
      latencies: result.latencies,
      secondsUntilCounted: (since - loaded) / 1_000,
      resident: [before, most, after],
      heapBytes: [heapBefore, await inspector.heapBytes()],
      wrong,
    };
  } finally {
    inspector.close();
    await service.miniflare.dispose();
  }
}

/**
 * Waits until the sums are final. Returns the flags with wrong sums, and since when the sums have not
 * changed, on the clock of `performance.now()`.
 */
async function finalSums(port: number, { requests, refused }: LoadResult) {
  const counts = await flagCounts(port);
  const ids = reportedFlags(fixtureFlags(FLAGS)).map((index) => index + 1);
  let before = "";
  for (let since = performance.now(); ; await setTimeout(SAMPLE_MS)) {
    const sums = await Promise.all(ids.map(counts));
    const wrong = sums.flatMap(({ t, f }, index) => {
      const counted = f / REPORTED_COUNTS.f;
      const isPossible = counted >= requests - refused && counted <= requests;
      return isPossible && t === counted * REPORTED_COUNTS.t
        ? []
        : [`flag ${ids[index]}: ${t} true and ${f} false`];
    });
    const now = JSON.stringify(sums);
    if (now !== before) since = performance.now();
    before = now;
    const quietMs = wrong.length === 0 ? RIGHT_MS : WRONG_MS;
    if (performance.now() - since > quietMs) return { wrong, since };
  }
}

interface Sums {
  readonly totals: { readonly t: number; readonly f: number };
}

/** Returns a function that reads the counts of a flag from the management API. */
export async function flagCounts(port: number): Promise<(flag: number) => Promise<Sums["totals"]>> {
  const session = await Session.open(`http://127.0.0.1:${port}`, signInOf(SECRETS));
  if (!session) throw new Error("the administrator cannot sign in");
  return async (flag) => (await session.get<Sums>(`/flags/${flag}/metrics?environmentId=1`)).totals;
}

const memories = (bytes: readonly (number | undefined)[]) => bytes.map(megabytes).join(", ");

export const loadTable = (load: LoadReport): Table => [
  ["quantity", "measured"],
  ["reports", load.reports.toLocaleString("en")],
  ["not answered with 202", load.refused.toLocaleString("en")],
  ["seconds", load.seconds.toFixed(1)],
  ["reports/s", (load.reports / load.seconds).toFixed(0)],
  ["p50 and p99, ms", [0.5, 0.99].map((at) => quantile(load.latencies, at).toFixed(1)).join(", ")],
  ["seconds until all were counted", load.secondsUntilCounted.toFixed(1)],
  ["resident memory before, at most, after", memories(load.resident)],
  ["heap of the isolate before, after", memories(load.heapBytes)],
  ["flags with wrong sums", String(load.wrong.length)],
];
