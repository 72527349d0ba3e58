import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { unstable_readConfig as readConfig } from "wrangler";
import { type Build, seededService } from "./comparisons.ts";
import { fixtureFlags } from "./fixtures.ts";
import type { Table } from "./report.ts";
import { ask, features, identifiedPoll, type Scenario, usageReport } from "./scenarios.ts";
import type { counts } from "./workers/counts.ts";

type Counts = typeof counts;

const FLAGS = 100;
const REQUESTS = 1_000;
/**
 * The counts have settled when they have not changed for this long. The longest pause between two
 * writes of usage is 10 s.
 */
const QUIET_MS = 15_000;

const HOUR_MS = 3_600_000;
/** After this time, the service has deleted the details by report and by instance. */
const EXPIRED_MS = 8 * 24 * HOUR_MS;

/**
 * Each request has a connection of its own. Requests are rare, and the service closes an idle
 * connection, perhaps while the next request is sent on it.
 */
const CLOSE = { Connection: "close" };

/** What 1,000 requests cost, by the time at which it is billed. */
export interface UsageCost {
  readonly name: string;
  readonly soon: Counts;
  /** The cost after the end of the hour, with one run of each cron job. */
  readonly nextHour: Counts;
  /** The cost when the data expires, with one run of each cron job. */
  readonly expired: Counts;
}

/**
 * Counts what 1,000 usage reports cost, and 1,000 polls. Both are sent evenly over `seconds`, to two
 * instances of the service.
 */
export async function countUsage(build: Build, seconds: number): Promise<UsageCost[]> {
  const flags = fixtureFlags(FLAGS);
  return Promise.all([
    countRequests(build, seconds, async () => usageReport(flags)),
    countRequests(build, seconds, async (port) => {
      const { headers } = await ask(port, features());
      return identifiedPoll(headers["etag"] ?? "");
    }),
  ]);
}

async function countRequests(
  build: Build,
  seconds: number,
  scenarioOf: (port: number) => Promise<Scenario>,
): Promise<UsageCost> {
  const service = await seededService(build, fixtureFlags(FLAGS), 1, {
    consumes: true,
    metered: true,
    // The service's own metrics cost the same for each isolate, however many requests it serves.
    variables: { METRICS_FLUSH_SECONDS: "0" },
  });
  const port = service.ports[0] ?? Number.NaN;
  const { triggers } = readConfig({ config: join(build.root, "wrangler.toml") });
  const crons = (triggers.crons ?? []) as readonly string[];
  const later = async (ms: number) => {
    const query = new URLSearchParams([["ms", String(ms)], ...crons.map((cron) => ["cron", cron])]);
    await readCounts(port, `later?${query}`);
    return settled(port);
  };
  try {
    // Loads the rules, and creates what the cron jobs create on their first run.
    await ask(port, features());
    const warm = await later(0);
    // What the cron jobs cost without usage.
    const start = await later(0);
    const idle = difference(start, warm);
    const scenario = await scenarioOf(port);
    await sendEvenly(port, scenario, seconds);
    const soon = await settled(port);
    const nextHour = await later(HOUR_MS);
    const expired = await later(EXPIRED_MS);
    return {
      name: scenario.name,
      soon: difference(soon, start),
      nextHour: difference(difference(nextHour, soon), idle),
      expired: difference(difference(expired, nextHour), idle),
    };
  } finally {
    await service.miniflare.dispose();
  }
}

/** Sends 1,000 requests evenly over `seconds`, each at its time. */
async function sendEvenly(port: number, scenario: Scenario, seconds: number): Promise<void> {
  const { inTurn = [scenario] } = scenario;
  const start = performance.now();
  const sent = Array.from({ length: REQUESTS }, async (_, index) => {
    const due = start + (index * seconds * 1_000) / REQUESTS;
    await setTimeout(Math.max(0, due - performance.now()));
    const { headers, body } = inTurn[index % inTurn.length] ?? scenario;
    await ask(port, { ...scenario, headers: { ...headers, ...CLOSE }, body });
  });
  await Promise.all(sent);
}

/** Calls a route of the benchmark (workers/metering.ts), which returns the counts. */
async function readCounts(port: number, path: string): Promise<Counts> {
  const answer = await fetch(`http://127.0.0.1:${port}/__bench/${path}`, { headers: CLOSE });
  if (!answer.ok) throw new Error(`/__bench/${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Counts;
}

/** Waits until the counts no longer change, and returns them. */
async function settled(port: number): Promise<Counts> {
  let counts = await readCounts(port, "counts");
  for (let since = performance.now(); performance.now() - since < QUIET_MS;) {
    await setTimeout(500);
    const now = await readCounts(port, "counts");
    if (JSON.stringify(now) !== JSON.stringify(counts)) since = performance.now();
    counts = now;
  }
  return counts;
}

const difference = (after: Counts, before: Counts): Counts =>
  Object.fromEntries(
    Object.entries(after).map(([name, count]) => [name, count - before[name as keyof Counts]]),
  ) as Counts;

const ROWS: readonly (readonly [name: string, of: keyof Counts])[] = [
  ["D1 statements of requests", "requestStatements"],
  ["D1 statements of jobs and objects", "jobStatements"],
  ["D1 rows written", "rowsWritten"],
  ["D1 rows read", "rowsRead"],
  ["queue messages", "queueMessages"],
  ["queue operations", "queueOperations"],
  ["queue batches", "queueBatches"],
  ["Durable Object requests", "objectRequests"],
  ["Durable Object rows written", "objectRowsWritten"],
];

/** Returns the table of the costs of 1,000 requests. */
export const costTable = ({ name, soon, nextHour, expired }: UsageCost): Table => [
  [`1,000 × ${name}`, "until settled", "next hour", "after 8 days", "total"],
  ...ROWS.map(([label, of]) => {
    const costs = [soon[of], nextHour[of], expired[of]];
    costs.push(costs.reduce((sum, cost) => sum + cost, 0));
    return [label].concat(costs.map((cost) => cost.toLocaleString("en")));
  }),
];
