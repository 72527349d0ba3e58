import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Build } from "./comparisons.ts";
import { type FixtureFlag, fixtureFlags } from "./fixtures.ts";
import { flagsFor, type NumberedCounts, numberedReport, readNumbered } from "./numbered-reports.ts";
import type { Table } from "./report.ts";
import { type Runtime, startService } from "./runtime.ts";
import { ask, features, usageReport } from "./scenarios.ts";
import { migrate, seed } from "./seed.ts";
import { flagCounts } from "./usage-load.ts";

const REPORTS_A_SECOND = 20;
/**
 * The runtime is killed at a random moment in this time after its start, seconds. So a kill meets
 * usage in all places where it waits.
 */
const KILLED_AFTER_S = { least: 1, most: 15 };
/** The counts are read when the last runtime had this time to write them, seconds. */
const SETTLED_S = 25;

/** One numbered report. Times are those of `performance.now()`. */
interface Sent {
  readonly number: number;
  /** When the service answered with 202; undefined if it was killed before. */
  accepted?: number;
}

/** What was sent to one runtime process. */
interface Life {
  readonly seconds: number;
  readonly killedAt: number;
  readonly sent: readonly Sent[];
}

export interface KillReport {
  readonly lives: readonly Life[];
  readonly counts: NumberedCounts;
}

/**
 * Sends reports steadily, kills the runtime process `kills` times at random moments, and starts a new
 * process with the same data each time. Returns what was sent, and what the service has counted.
 */
export async function killUnderLoad(
  { root, source }: Build,
  kills: number,
  progress: (kill: number) => void,
): Promise<KillReport> {
  const mostReports = kills * (KILLED_AFTER_S.most * REPORTS_A_SECOND + 1);
  const flags = fixtureFlags(flagsFor(mostReports));
  const folder = await mkdtemp(join(tmpdir(), "bench-usage-"));
  const start = () => startService(root, source, { consumes: true, folder });
  const lives: Life[] = [];
  let service = await start();
  try {
    const db = await service.miniflare.getD1Database("DB");
    await migrate(db, root);
    await seed(db, flags, 1);
    let next = 0;
    for (let kill = 1; kill <= kills; kill++) {
      const life = await liveAndKill(service, flags, next);
      next += life.sent.length;
      lives.push(life);
      progress(kill);
      service = await start();
    }
    // The first request starts the isolate.
    const port = service.ports[0] ?? Number.NaN;
    await ask(port, features());
    await setTimeout(SETTLED_S * 1_000);
    const countOf = await flagCounts(port);
    const counts = await readNumbered(next, async (index) => (await countOf(index + 1)).t);
    return { lives, counts };
  } finally {
    await service.miniflare.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Sends reports, numbered from `first`, and kills the process at a random moment. */
async function liveAndKill(
  { miniflare, pid, ports }: Runtime,
  flags: readonly FixtureFlag[],
  first: number,
): Promise<Life> {
  if (pid === undefined) throw new Error("the process of the runtime is not known");
  const port = ports[0] ?? Number.NaN;
  await ask(port, features());
  const { least, most } = KILLED_AFTER_S;
  const seconds = least + Math.random() * (most - least);
  const began = performance.now();
  const end = began + seconds * 1_000;
  const sent: Sent[] = [];
  const answers: Promise<void>[] = [];
  const scenario = usageReport(flags);
  const send = async (report: Sent) => {
    try {
      await ask(port, { ...scenario, body: numberedReport(flags, report.number) });
      report.accepted = performance.now();
    } catch {
      // The process was killed before it answered, so nobody knows whether it counts the report.
    }
  };
  while (performance.now() < end) {
    const report = { number: first + sent.length };
    sent.push(report);
    answers.push(send(report));
    const due = began + (sent.length * 1_000) / REPORTS_A_SECOND;
    await setTimeout(Math.max(0, Math.min(due, end) - performance.now()));
  }
  const killedAt = performance.now();
  process.kill(pid, "SIGKILL");
  // Miniflare starts a process again that ends, unless it is disposed of.
  await miniflare.dispose();
  await Promise.all(answers);
  return { seconds, killedAt, sent };
}

/** Returns the accepted reports of a life that the service has not counted. */
const lostOf = ({ sent }: Life, { times }: NumberedCounts) =>
  sent.filter(({ number, accepted }) => accepted !== undefined && times[number] === 0);

/** Returns how long before the kill the oldest lost report was accepted, seconds. */
const oldestOf = (life: Life, counts: NumberedCounts): number =>
  Math.max(0, ...lostOf(life, counts).map(({ accepted = 0 }) => life.killedAt - accepted)) / 1_000;

export function killTable({ lives, counts }: KillReport): Table {
  const rows = lives.map((life) => {
    const accepted = life.sent.filter((one) => one.accepted !== undefined);
    const counted = life.sent.filter(({ number }) => (counts.times[number] ?? 0) > 0);
    const twice = life.sent.filter(({ number }) => (counts.times[number] ?? 0) > 1);
    return [life.sent, accepted, counted, twice, lostOf(life, counts)].map(({ length }) => length);
  });
  const oldest = lives.map((life) => oldestOf(life, counts));
  const total = (rows[0] ?? []).map((_, column) =>
    rows.reduce((sum, row) => sum + (row[column] ?? 0), 0),
  );
  return [
    ["kill", "after s", "sent", "accepted", "counted", "twice", "lost", "oldest lost: s before"],
    ...rows.map((row, index) =>
      [String(index + 1), (lives[index]?.seconds ?? 0).toFixed(1)].concat(
        row.map(String),
        (oldest[index] ?? 0).toFixed(1),
      ),
    ),
    ["all", ""].concat(total.map(String), Math.max(...oldest).toFixed(1)),
  ];
}

/** Returns the broken promises: reports that are counted twice, and losses beyond the bound. */
export function brokenPromises({ lives, counts }: KillReport, boundSeconds: number): string[] {
  const { times, common } = counts;
  const twice = times.filter((count) => count > 1).length;
  const counted = times.reduce((sum, count) => sum + count, 0);
  const unequal = common.filter((count) => count !== counted);
  const beyond = lives.filter((life) => oldestOf(life, counts) > boundSeconds).length;
  return [
    ...(twice > 0 ? [`${twice} reports were counted twice`] : []),
    ...(unequal.length > 0
      ? [`${counted} reports were counted, but flags that all reports have: ${unequal.join(", ")}`]
      : []),
    ...(beyond > 0
      ? [`${beyond} kills lost reports that were accepted more than ${boundSeconds} s before`]
      : []),
  ];
}
