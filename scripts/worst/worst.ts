import { request as open } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { inOrder, Session } from "../lib/api.ts";
import { buildBundle } from "../bench/bundle.ts";
import * as report from "../bench/report.ts";
import { SECRETS, startService } from "../bench/runtime.ts";
import { migrate } from "../bench/seed.ts";
import { sequentially } from "../bench/sequentially.ts";
import { median } from "../bench/statistics.ts";
import { cpuSeconds, idle } from "../bench/workerd.ts";
import { KINDS } from "./data.ts";
import { newFlag, newProject, type Sent } from "./kind.ts";

// `npm run worst` creates the worst data that the limits allow, through the API. For each request
// that reads or writes them, it measures for how long another project waits: one client polls the
// rules of a small project, one poll after the other, on the same isolate.

/** How long the other project polls before each request, milliseconds. */
const QUIET_MS = 500;
/** How often each request is sent. The slowest poll of all of them counts. */
const ROUNDS = 3;

const root = join(import.meta.dirname, "..", "..");
const wanted = process.argv.slice(2);
const { modules } = await buildBundle(root);
const service = await startService(root, modules, {
  variables: { USAGE_FLUSH_SECONDS: "0.5", QUOTA_PROJECTS: "1000" },
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

interface Row {
  readonly kind: string;
  readonly name: string;
  readonly status: number;
  readonly megabytes: number;
  readonly cpuMs: number;
  readonly slowestMs: number;
  readonly ratio: number;
}

/** Measures one request: the slowest poll of the other project while it runs. */
async function measure(kind: string, sent: Sent, other: string): Promise<Row> {
  const rounds = await sequentially(Array.from({ length: ROUNDS }).keys(), async () => {
    await idle(service.pid);
    const end = performance.now() + QUIET_MS;
    const quiet = await poll(other, () => performance.now() >= end);
    const before = cpuSeconds(service.pid) ?? Number.NaN;
    let isDone = false;
    const [answer, polls] = await Promise.all([
      timed(sent).finally(() => (isDone = true)),
      poll(other, () => isDone),
    ]);
    const slowestMs = Math.max(...polls);
    const cpuMs = ((cpuSeconds(service.pid) ?? Number.NaN) - before) * 1_000;
    return { ...answer, cpuMs, slowestMs, ratio: slowestMs / median(quiet) };
  });
  const worst = rounds.toSorted((a, b) => b.slowestMs - a.slowestMs)[0];
  if (!worst) throw new Error("no rounds");
  const { status, bytes, cpuMs, slowestMs, ratio } = worst;
  return { kind, name: sent.name, status, megabytes: bytes / 1e6, cpuMs, slowestMs, ratio };
}

const rows: Row[] = [];
try {
  const session = await signIn();
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
} finally {
  await service.miniflare.dispose();
}

console.log(
  report.text([
    ["data", "request", "status", "MB", "CPU ms", "slowest poll ms", "/ quiet median"],
    ...rows.map((row) => [
      row.kind,
      row.name,
      String(row.status),
      row.megabytes.toFixed(2),
      row.cpuMs.toFixed(0),
      row.slowestMs.toFixed(0),
      row.ratio.toFixed(0),
    ]),
  ]),
);
