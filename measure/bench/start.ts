import { workerSource } from "./bare.ts";
import type { Build } from "./comparisons.ts";
import { type Module, moduleOf } from "../../scripts/service/modules.ts";
import { startService } from "../../scripts/service/runtime.ts";
import { median } from "../../scripts/lib/statistics.ts";
import { cpuOfThreads } from "../../scripts/service/workerd.ts";
import { inOrder } from "../../scripts/lib/in-order.ts";

/** How often each Worker is started. Each start is that of a new process. */
const STARTS = 9;

/** What a start of the Worker costs. */
export interface StartReport {
  /**
   * The CPU time from the start of the process until the Worker has answered a first poll, compared
   * with an empty Worker that has the same bindings and classes, milliseconds.
   */
  readonly pollMs: number;
  /** The CPU time of the first request to the management API after it, milliseconds. */
  readonly managementMs: number;
}

/** Measures the start of the Worker. The requests have no key, so that the database takes no part. */
export async function measureStart({ root, modules }: Build): Promise<StartReport> {
  const nothing = [moduleOf("empty.js", await workerSource("empty.ts"))];
  const rounds = await inOrder(Array.from({ length: STARTS }).keys(), async () => ({
    service: await started(root, modules),
    empty: await started(root, nothing),
  }));
  return {
    pollMs: median(rounds.map(({ service, empty: base }) => service.pollMs - base.pollMs)),
    managementMs: median(rounds.map(({ service }) => service.managementMs)),
  };
}

async function started(root: string, modules: readonly Module[]): Promise<StartReport> {
  const { miniflare, pid, ports } = await startService(root, modules);
  const port = ports[0] ?? Number.NaN;
  await refused(port, "/api/client/features");
  const pollMs = cpuOfThreads(pid);
  await refused(port, "/api/v1/projects");
  const managementMs = cpuOfThreads(pid) - pollMs;
  await miniflare.dispose();
  return { pollMs, managementMs };
}

async function refused(port: number, path: string): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${port}${path}`);
  if (status !== 401) throw new Error(`${path}: ${status}`);
}
