import { fixtureFlags } from "./fixtures.ts";
import { sequentially } from "./sequentially.ts";
import { load } from "./load.ts";
import { type Runtime, startService } from "./runtime.ts";
import { ask, features, ofrepAll, ofrepScenarios, type Scenario, scenarios } from "./scenarios.ts";
import { migrate, seed } from "./seed.ts";

const CONNECTIONS = 32;
const FLAGS = 100;
/**
 * The number of environments in the cold start test. Each environment has a separate API key and
 * has received no request.
 */
const COLD_KEYS = 5;
const SECONDS = 3;

/**
 * Two key checks must be at least this many milliseconds apart to count as once per second. The
 * value is below 1000 ms, because the runtime's timers and clocks are each inaccurate by up to 2
 * ms.
 */
const SECOND_MS = 995;

export interface StorageCounts {
  /** When each D1 statement ran, epoch milliseconds. */
  readonly statementTimes: readonly number[];
  /**
   * The number of D1 statements that were part of a batch. The service builds rules with a batch,
   * and checks an API key with a single statement.
   */
  readonly batched: number;
  readonly kvReads: number;
}

/** Returns the isolate's storage operations since the last call. */
export async function takeCounts(port: number): Promise<StorageCounts> {
  const answer = await fetch(`http://127.0.0.1:${port}/__bench/counts`);
  return (await answer.json()) as StorageCounts;
}

export interface CountRow {
  readonly name: string;
  readonly requests: number;
  readonly statements: number;
  readonly kvReads: number;
  /** Whether the service checked each API key at most once per second. */
  readonly oncePerSecond: boolean;
}

const row = (
  name: string,
  requests: number,
  counts: StorageCounts,
): Omit<CountRow, "oncePerSecond"> => ({
  name,
  requests,
  statements: counts.statementTimes.length,
  kvReads: counts.kvReads,
});

/**
 * Counts the D1 statements and KV reads of a cold start, then of each kind of request under steady
 * load.
 */
export async function countStorage(root: string, source: string): Promise<CountRow[]> {
  const runtime = await startService(root, source, { counted: true });
  try {
    const flags = fixtureFlags(FLAGS);
    const db = await runtime.miniflare.getD1Database("DB");
    await migrate(db, root);
    await seed(db, flags, COLD_KEYS + 1);
    const port = runtime.ports[0] ?? Number.NaN;
    const cold = await countCold(port);
    const { headers } = await ask(port, features());
    const ofAll = await ask(port, ofrepAll());
    const requests = [
      ...scenarios(flags, headers["etag"] ?? ""),
      ...ofrepScenarios(flags, ofAll.headers["etag"] ?? ""),
    ];
    const steady = await sequentially(requests, (scenario) => countSteady(runtime, scenario));
    return [cold, ...steady];
  } finally {
    await runtime.miniflare.dispose();
  }
}

/**
 * Sends bursts of requests with API keys that are not in the isolate's memory. Waits for each burst
 * before the next.
 */
async function countCold(port: number): Promise<CountRow> {
  const environments = Array.from({ length: COLD_KEYS }, (_, index) => index + 2);
  const bursts = await sequentially(environments, (environment) =>
    load(port, features(environment), CONNECTIONS, 0),
  );
  const requests = bursts.reduce((sum, burst) => sum + burst.requests, 0);
  const counts = await takeCounts(port);
  const keyChecks = counts.statementTimes.length - counts.batched;
  const name = `cold: ${COLD_KEYS} keys, ${CONNECTIONS} requests each`;
  return { ...row(name, requests, counts), oncePerSecond: keyChecks <= COLD_KEYS };
}

async function countSteady({ ports }: Runtime, scenario: Scenario): Promise<CountRow> {
  const port = ports[0] ?? Number.NaN;
  await takeCounts(port);
  const { requests } = await load(port, scenario, CONNECTIONS, SECONDS);
  const counts = await takeCounts(port);
  const times = counts.statementTimes.toSorted((a, b) => a - b);
  const oncePerSecond = times.every(
    (time, index) => time - (times[index - 1] ?? Number.NEGATIVE_INFINITY) >= SECOND_MS,
  );
  return { ...row(scenario.name, requests, counts), oncePerSecond };
}
