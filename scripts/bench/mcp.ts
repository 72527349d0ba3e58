import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { ROOT } from "../lib/processes.ts";
import { newAgentToken } from "./agent-token.ts";
import { type Bundle, buildBundle } from "./bundle.ts";
import { text } from "./report.ts";
import { startService } from "./runtime.ts";
import { migrate } from "./seed.ts";
import { sequentially } from "./sequentially.ts";
import { median, quantile } from "./statistics.ts";

// `npm run bench:mcp -- 60` measures what the endpoint for agents costs: by how much it slows the start of
// an isolate, in 60 starts with and without it, and how long its first call takes, in 12 processes. The
// goals are 2 ms and 150 ms.

const STARTS = Number(process.argv[2] ?? 60);
const PROCESSES = Math.ceil(STARTS / 5);
const GOALS = { startMs: 2, firstCallMs: 150 };

const folder = await mkdtemp(join(tmpdir(), "bench-mcp-"));
const without = join(import.meta.dirname, "workers", "without-mcp.ts");
const full = await buildBundle(ROOT);
const reduced = await buildBundle(ROOT, "--alias", `./mcp/routes.ts:${without}`);
if (reduced.source.includes("find_flags")) throw new Error("the reduced bundle has the tools");

const slowdownMs = await measureStarts();
const firstCallMs = await measureFirstCalls();
await rm(folder, { recursive: true });
const verdict = (isMet: boolean) => (isMet ? "met   " : "MISSED");
console.log(
  [
    "",
    `${verdict(slowdownMs <= GOALS.startMs)} a start takes at most ${GOALS.startMs} ms more`,
    `${verdict(firstCallMs <= GOALS.firstCallMs)} the first call takes at most ${GOALS.firstCallMs} ms`,
  ].join("\n"),
);

/**
 * Measures the start of an isolate with and without the endpoint, and prints the results. Returns the
 * difference, milliseconds.
 */
async function measureStarts(): Promise<number> {
  const files = { full: join(folder, "full.mjs"), reduced: join(folder, "reduced.mjs") };
  await writeFile(files.full, full.source);
  await writeFile(files.reduced, reduced.source);
  const times: Record<"full" | "reduced", number[]> = { full: [], reduced: [] };
  await sequentially(Array.from({ length: STARTS }).keys(), async (round) => {
    // Alternates the order of the bundles, so that a drift of the machine's speed affects both alike.
    const names = (["full", "reduced"] as const).toSorted(() => (round % 2 === 0 ? 1 : -1));
    await sequentially(names, async (name) => {
      const result = new Float64Array(new SharedArrayBuffer(8));
      const workerData = { file: files[name], result };
      await once(
        new Worker(join(import.meta.dirname, "workers", "evaluate.ts"), { workerData }),
        "exit",
      );
      times[name].push(result[0] ?? Number.NaN);
    });
  });
  // Other processes of the machine only add to a time, so the lower quartile has less noise.
  const quartiles = { full: quantile(times.full, 0.25), reduced: quantile(times.reduced, 0.25) };
  const kibibytes = ({ gzipBytes }: Bundle) => `${(gzipBytes / 1024).toFixed(0)} KiB`;
  const row = (name: keyof typeof times) => [shown(quartiles[name]), shown(median(times[name]))];
  const difference = quartiles.full - quartiles.reduced;
  console.log(
    text([
      ["start of an isolate", "gzipped", "CPU ms, lower quartile", "median"],
      ["with the endpoint", kibibytes(full), ...row("full")],
      ["without", kibibytes(reduced), ...row("reduced")],
      ["difference", "", shown(difference)],
    ]),
  );
  return difference;
}

/**
 * Measures the first calls of the endpoint, and prints the results. Returns how long the first call takes
 * in an isolate that has answered another request before, milliseconds.
 */
async function measureFirstCalls(): Promise<number> {
  const data = join(folder, "data");
  const service = await startService(ROOT, full.source, { folder: data });
  await migrate(await service.miniflare.getD1Database("DB"), ROOT);
  const token = await newAgentToken(`http://127.0.0.1:${service.ports[0]}`);
  await service.miniflare.dispose();

  /** Sends requests to a new isolate, one after the other. Returns their times, milliseconds. */
  const timesOf = async (requests: readonly ((url: string) => Promise<Response>)[]) => {
    const runtime = await startService(ROOT, full.source, { folder: data });
    const times = await sequentially(requests, async (request) => {
      const before = performance.now();
      const response = await request(`http://127.0.0.1:${runtime.ports[0]}`);
      const body = await response.text();
      if (!response.ok) throw new Error(`${response.status} ${body}`);
      return performance.now() - before;
    });
    await runtime.miniflare.dispose();
    return times;
  };
  const Authorization = `Bearer ${token}`;
  const list = (url: string) => fetch(`${url}/api/v1/projects`, { headers: { Authorization } });
  const call = (url: string) =>
    fetch(`${url}/api/mcp`, {
      method: "POST",
      headers: {
        Authorization,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-11-25",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });

  const rounds = await sequentially(Array.from({ length: PROCESSES }), async () => ({
    fresh: await timesOf([call]),
    used: await timesOf([list, call, call]),
  }));
  const medianOf = (select: (round: (typeof rounds)[number]) => number | undefined) =>
    median(rounds.map((round) => select(round) ?? Number.NaN));
  const first = medianOf(({ used }) => used[1]);
  console.log(
    `\n${text([
      ["request, median", "ms"],
      [
        "GET /api/v1/projects, the first request of an isolate",
        shown(medianOf(({ used }) => used[0])),
      ],
      ["POST /api/mcp after it, the first call", shown(first)],
      ["POST /api/mcp, the second call", shown(medianOf(({ used }) => used[2]))],
      ["POST /api/mcp, the first request of an isolate", shown(medianOf(({ fresh }) => fresh[0]))],
    ])}`,
  );
  return first;
}

function shown(ms: number): string {
  return ms.toFixed(1);
}
