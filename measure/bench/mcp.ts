import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../scripts/lib/processes.ts";
import { newAgentToken } from "../../scripts/service/agent-token.ts";
import { buildBundle } from "../../scripts/service/bundle.ts";
import { text } from "./report.ts";
import { startService } from "../../scripts/service/runtime.ts";
import { migrate } from "../../scripts/service/seed.ts";
import { median } from "../../scripts/lib/statistics.ts";
import { inOrder } from "../../scripts/lib/in-order.ts";

// `npm run bench:mcp -- 12` measures how long the first call of the endpoint for agents takes, in 12
// processes. The start of an isolate loads nothing of the endpoint (test/scripts/worker-build.test.ts).

const PROCESSES = Number(process.argv[2] ?? 12);
const FIRST_CALL_MS = 150;

const folder = await mkdtemp(join(tmpdir(), "bench-mcp-"));
const { modules } = await buildBundle(ROOT);
const firstCallMs = await measureFirstCalls();
await rm(folder, { recursive: true });
const verdict = firstCallMs <= FIRST_CALL_MS ? "met" : "MISSED";
console.log(`\n${verdict}: the first call takes at most ${FIRST_CALL_MS} ms`);

/**
 * Measures the first calls of the endpoint, and prints the results. Returns how long the first call takes
 * in an isolate that has answered another request before, milliseconds.
 */
async function measureFirstCalls(): Promise<number> {
  const data = join(folder, "data");
  const service = await startService(ROOT, modules, { folder: data });
  await migrate(await service.miniflare.getD1Database("DB"), ROOT);
  const token = await newAgentToken(`http://127.0.0.1:${service.ports[0]}`);
  await service.miniflare.dispose();

  /** Sends requests to a new isolate, one after the other. Returns their times, milliseconds. */
  const timesOf = async (requests: readonly ((url: string) => Promise<Response>)[]) => {
    const runtime = await startService(ROOT, modules, { folder: data });
    const times = await inOrder(requests, async (request) => {
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

  const rounds = await inOrder(Array.from({ length: PROCESSES }), async () => ({
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
