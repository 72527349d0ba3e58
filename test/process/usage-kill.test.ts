import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { fixtureFlags } from "../../scripts/service/fixtures.ts";
import { type Runtime, SECRETS, startService } from "../../scripts/service/runtime.ts";
import {
  ask,
  features,
  reportOf,
  type Scenario,
  usageReport,
} from "../../scripts/service/scenarios.ts";
import { migrate, seed } from "../../scripts/service/seed.ts";
import { Session } from "../../scripts/lib/api.ts";
import { ROOT } from "../../scripts/lib/processes.ts";
import { signInOf } from "../../scripts/lib/sign-in.ts";
import { workerModules } from "./support/bundle.ts";
import { restart } from "./support/restart.ts";

/** How long after its start each process is killed, milliseconds. */
const KILLED_AFTER_MS = [1_700, 5_500];
const REPORTS_A_SECOND = 20;
const FLUSH_SECONDS = 0.5;
/**
 * A report that was accepted this long before a kill is certainly counted, milliseconds. An isolate
 * sends reports after `FLUSH_SECONDS`, the usage object stores them within twice that time, and
 * timers may be late by two seconds.
 */
const LOSS_BOUND_MS = 3 * FLUSH_SECONDS * 1_000 + 2_000;

/**
 * The flags of the reports. Each report counts a flag of its own, so that the counts tell which
 * reports were counted.
 */
const flags = fixtureFlags(300);

interface Sent {
  readonly number: number;
  /** When the service accepted the report, on the clock of `performance.now()`. */
  acceptedAt?: number;
}

interface Report {
  readonly number: number;
  /** How long before the kill the service accepted the report, milliseconds. */
  readonly acceptedBefore?: number;
}

/** Sends reports at a steady rate, numbered from `first`, and then kills the process and starts another. */
async function sendAndKill(service: Runtime, first: number, killedAfter: number) {
  const port = service.ports[0] ?? Number.NaN;
  const scenario = usageReport(flags);
  const sent: Sent[] = [];
  const sending: Promise<void>[] = [];
  const send = async (request: Scenario, report: Sent) => {
    try {
      await ask(port, request);
      report.acceptedAt = performance.now();
    } catch {
      // Ignores the error: the process was killed before it answered.
    }
  };
  const began = performance.now();
  while (performance.now() - began < killedAfter) {
    const report: Sent = { number: first + sent.length };
    const body = reportOf("instance", { [flags[report.number]?.key ?? ""]: { t: 1, f: 0 } });
    sent.push(report);
    sending.push(send({ ...scenario, body }, report));
    await setTimeout(1_000 / REPORTS_A_SECOND);
  }
  const killedAt = performance.now();
  const restarted = await restart(service);
  await Promise.all(sending);
  const reports = sent.map(({ number, acceptedAt }): Report =>
    acceptedAt === undefined ? { number } : { number, acceptedBefore: killedAt - acceptedAt },
  );
  return { reports, restarted };
}

/** Returns how often each of the first `count` flags was counted. */
async function countsOf(port: number, count: number): Promise<number[]> {
  const session = await Session.open(`http://127.0.0.1:${port}`, signInOf(SECRETS));
  const countOf = async (_: unknown, index: number) => {
    const usage = await session?.get<{ totals: { t: number } }>(
      `/flags/${index + 1}/metrics?environmentId=1`,
    );
    return usage?.totals.t ?? Number.NaN;
  };
  return Promise.all(Array.from({ length: count }, countOf));
}

// Runs only on systems with /proc, in which the test finds the process of the runtime.
it.runIf(existsSync("/proc"))(
  "counts no usage report twice, and loses none that was accepted 3.5 s before the runtime is killed",
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "usage-kill-"));
    const variables = { USAGE_FLUSH_SECONDS: String(FLUSH_SECONDS) };
    const options = { consumes: true, folder, variables };
    let service = await startService(ROOT, await workerModules(), options);
    try {
      const db = await service.miniflare.getD1Database("DB");
      await migrate(db, ROOT);
      await seed(db, flags, 1);
      const reports: Report[] = [];
      for (const killedAfter of KILLED_AFTER_MS) {
        await ask(service.ports[0] ?? Number.NaN, features());
        const sent = await sendAndKill(service, reports.length, killedAfter);
        reports.push(...sent.reports);
        service = sent.restarted;
      }
      const counts = await countsOf(service.ports[0] ?? Number.NaN, reports.length);
      expect(counts.filter((count) => count > 1)).toEqual([]);
      const due = reports.filter(({ acceptedBefore = 0 }) => acceptedBefore > LOSS_BOUND_MS);
      expect(due.length).toBeGreaterThan(10);
      expect(due.filter(({ number }) => counts[number] !== 1)).toEqual([]);
    } finally {
      await service.miniflare.dispose();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
