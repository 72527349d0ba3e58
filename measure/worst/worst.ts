import { request as open } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { Session } from "../../scripts/lib/api.ts";
import { buildBundle } from "../../scripts/service/bundle.ts";
import * as report from "../bench/report.ts";
import { SECRETS, startService } from "../../scripts/service/runtime.ts";
import { migrate } from "../../scripts/service/seed.ts";
import { median } from "../../scripts/lib/statistics.ts";
import { cpuSeconds, idle, residentParts } from "../../scripts/service/workerd.ts";
import { KINDS } from "./data.ts";
import { HeapMeter, isolatesOf } from "./heap.ts";
import { newFlag, newProject, type Sent } from "./kind.ts";
import { inOrder } from "../../scripts/lib/in-order.ts";

// `npm run worst` creates the worst data that the limits allow, through the API. For each request
// that reads or writes them, it measures for how long another project waits: one client polls the
// rules of a small project, one poll after the other, on the same isolate. With `--memory`, it also
// measures the heap of the isolate, and prints what the memory of the process is made of. With
// MINIFLARE_WORKERD_V8_FLAGS=--max-heap-size=128, the runtime ends when an isolate needs more.

/** How long the other project polls before each request, milliseconds. */
const QUIET_MS = 500;
/** How often each request is sent. The slowest poll of all of them counts. */
const ROUNDS = 3;

const root = join(import.meta.dirname, "..", "..");
const isMemory = process.argv.includes("--memory");
const wanted = process.argv.slice(2).filter((one) => !one.startsWith("--"));
const { modules } = await buildBundle(root);
const service = await startService(root, modules, {
  variables: { USAGE_FLUSH_SECONDS: "0.5", QUOTA_PROJECTS: "1000" },
  isInspected: isMemory,
});
await migrate(await service.miniflare.getD1Database("DB"), root);
const address = `http://127.0.0.1:${service.ports[0]}`;

/** Signs in as the administrator. An access token ends after 15 minutes. */
async function signIn(): Promise<Session> {
  const { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password } = SECRETS;
  const session = await Session.open(address, { email, password });
  if (!session) throw new Error("The administrator cannot sign in");
  return session;
}

interface Timed {
  readonly status: number;
  readonly bytes: number;
  readonly ms: number;
}

/** Sends a request, and reads the response without keeping it. */
function timed(sent: Omit<Sent, "name">): Promise<Timed> {
  const { method = "GET", path, token, body, headers } = sent;
  const started = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<Timed>();
  const request = open(`${address}${path}`, {
    method,
    headers: {
      ...headers,
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
  });
  request.on("error", reject).on("response", (response) => {
    let bytes = 0;
    response.on("data", (chunk: Buffer) => (bytes += chunk.byteLength));
    response.on("end", () => {
      resolve({ status: response.statusCode ?? 0, bytes, ms: performance.now() - started });
    });
  });
  request.end(body);
  return promise;
}

/** Polls the rules of the other project until `isDone`, and returns the time of each poll, milliseconds. */
async function poll(key: string, isDone: () => boolean): Promise<readonly number[]> {
  const times: number[] = [];
  do times.push((await timed({ path: "/api/client/features", token: key })).ms);
  while (!isDone());
  return times;
}

const inspector = isMemory ? await service.miniflare.getInspectorURL() : undefined;
const heap = inspector && (await HeapMeter.connect(inspector, "core:user:service"));

interface Row {
  readonly kind: string;
  readonly name: string;
  readonly status: number;
  readonly megabytes: number;
  /** The CPU time of the request, without that of the polls, milliseconds. */
  readonly cpuMs: number;
  readonly slowestMs: number;
  readonly ratio: number;
  /** The largest heap of the isolate while the request runs, bytes. */
  readonly heapPeak: number;
  /** The heap of the isolate after the request and a garbage collection, bytes. */
  readonly heapLive: number;
}

/** Measures one request: the slowest poll of the other project while it runs. */
async function measure(kind: string, sent: Sent, other: string): Promise<Row> {
  const rounds = await inOrder(Array.from({ length: ROUNDS }).keys(), async () => {
    await idle(service.pid);
    const end = performance.now() + QUIET_MS;
    const start = cpuSeconds(service.pid) ?? Number.NaN;
    const quiet = await poll(other, () => performance.now() >= end);
    const before = cpuSeconds(service.pid) ?? Number.NaN;
    const ofPoll = (before - start) / quiet.length;
    let isDone = false;
    const work = () =>
      Promise.all([timed(sent).finally(() => (isDone = true)), poll(other, () => isDone)]);
    const { result, peak = 0 } = heap ? await heap.peak(work) : { result: await work() };
    const [answer, polls] = result;
    const slowestMs = Math.max(...polls);
    await idle(service.pid);
    const cpu = (cpuSeconds(service.pid) ?? Number.NaN) - before;
    const cpuMs = (cpu - polls.length * ofPoll) * 1_000;
    return { ...answer, cpuMs, slowestMs, ratio: slowestMs / median(quiet), heapPeak: peak };
  });
  const heapPeak = Math.max(...rounds.map((one) => one.heapPeak));
  const heapLive = (await heap?.live()) ?? 0;
  const worst = rounds.toSorted((a, b) => b.slowestMs - a.slowestMs)[0];
  if (!worst) throw new Error("no rounds");
  const { status, bytes, cpuMs, slowestMs, ratio } = worst;
  const measured = { status, megabytes: bytes / 1e6, cpuMs, slowestMs, ratio };
  return { kind, name: sent.name, ...measured, heapPeak, heapLive };
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

/** Prints the resident memory of the process: the program itself, the heaps of all isolates, and the rest. */
async function printMemory(when: string, meters: readonly HeapMeter[]): Promise<void> {
  const all = await Promise.all(meters.map((meter) => meter.usage()));
  const heaps = all.reduce((sum, { totalSize }) => sum + totalSize, 0);
  const { resident, program } = residentParts(service.pid);
  console.error(
    `${when}: resident ${megabytes(resident)}, of which the program ${megabytes(program)}, the heaps of ` +
      `${all.length} isolates ${megabytes(heaps)}, and the rest (SQLite, buffers, allocator) ` +
      megabytes(resident - program - heaps),
  );
  for (const [n, { usedSize, totalSize }] of all.entries())
    if (totalSize > 10e6)
      console.error(`  ${meters[n]?.isolate}: ${megabytes(usedSize)} of ${megabytes(totalSize)}`);
}

/** Prints the memory before and after a garbage collection of all isolates. */
async function printAllMemory(url: URL, known: HeapMeter): Promise<void> {
  const others = (await isolatesOf(url)).filter((isolate) => isolate !== known.isolate);
  const meters = [
    known,
    ...(await Promise.all(others.map((isolate) => HeapMeter.connect(url, isolate)))),
  ];
  await printMemory("after all requests", meters);
  await Promise.all(meters.map((meter) => meter.live()));
  await printMemory("after a garbage collection", meters);
  for (const meter of meters) meter.close();
}

const rows: Row[] = [];
try {
  const session = await signIn();
  if (heap) await printMemory("at the start", [heap]);
  const own = await newProject(session, "other");
  await newFlag(session, own, "flag");
  await inOrder(
    KINDS.filter(({ name }) => wanted.length === 0 || wanted.includes(name)),
    async ({ name, create }) => {
      const started = await signIn();
      const requests = await create(started, await newProject(started, name));
      await inOrder(requests, async (sent) => {
        const row = await measure(name, sent, own.key);
        rows.push(row);
        console.error(`${name}, ${sent.name}: ${row.slowestMs.toFixed(0)} ms`);
      });
    },
  );
  if (inspector && heap) await printAllMemory(inspector, heap);
} finally {
  await service.miniflare.dispose();
}

console.log(
  report.text([
    [
      "data",
      "request",
      "status",
      "MB",
      "CPU ms",
      "slowest poll ms",
      "/ quiet median",
      "peak heap MB",
      "live heap MB",
    ],
    ...rows.map((row) => [
      row.kind,
      row.name,
      String(row.status),
      row.megabytes.toFixed(2),
      row.cpuMs.toFixed(0),
      row.slowestMs.toFixed(0),
      row.ratio.toFixed(0),
      isMemory ? (row.heapPeak / 1e6).toFixed(0) : "",
      isMemory ? (row.heapLive / 1e6).toFixed(0) : "",
    ]),
  ]),
);
