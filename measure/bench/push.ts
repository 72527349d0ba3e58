import { request } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { buildBundle } from "../../scripts/service/bundle.ts";
import { seededService } from "./comparisons.ts";
import { fixtureFlags } from "../../scripts/service/fixtures.ts";
import * as report from "./report.ts";
import { SECRETS } from "../../scripts/service/runtime.ts";
import { keyOf } from "../../scripts/service/seed.ts";
import { quantile } from "../../scripts/lib/statistics.ts";
import { residentBytes } from "../../scripts/service/workerd.ts";
import { inOrder } from "../../scripts/lib/in-order.ts";

// `npm run bench:push` measures the time from the response of a write to the event at every client of
// an event stream (docs/use/push.md), on the local runtime. Clients and service share the machine.

const CONNECTIONS = [1, 100, 2_000];
const WRITES = 20;
/** How many streams open at the same time. */
const OPENING = 50;
const ENVIRONMENT = 1;
/**
 * How long to wait for streams and events, milliseconds. On the local runtime, connecting thousands
 * of streams takes a while.
 */
const TIMEOUT_MS = 60_000;

/** The clients of event streams, and the times at which they got the events. */
class Clients {
  readonly #port: number;
  /** For each revision: when each client got the event, milliseconds. */
  readonly #times = new Map<number, number[]>();
  #open = 0;

  constructor(port: number) {
    this.#port = port;
  }

  async grow(count: number): Promise<void> {
    while (this.#open < count) {
      const more = Math.min(OPENING, count - this.#open);
      await Promise.all(Array.from({ length: more }, () => this.#connect()));
      this.#open += more;
    }
  }

  #connect(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const headers = { Authorization: `Bearer ${keyOf(ENVIRONMENT)}` };
    const options = { port: this.#port, path: "/api/client/stream", headers, agent: false };
    request(options, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`));
      response.setEncoding("utf8");
      response.on("data", (text: string) => {
        const now = performance.now();
        for (const [, id] of text.matchAll(/^id: (\d+)$/gm)) this.#timesOf(Number(id)).push(now);
        resolve();
      });
      return undefined;
    })
      .on("error", reject)
      .end();
    return promise;
  }

  #timesOf(revision: number): number[] {
    const times = this.#times.get(revision) ?? [];
    this.#times.set(revision, times);
    return times;
  }

  /** Waits until all clients have the event of a revision, and returns the times. */
  async received(revision: number): Promise<readonly number[]> {
    const end = performance.now() + TIMEOUT_MS;
    while (this.#timesOf(revision).length < this.#open) {
      if (performance.now() > end)
        throw new Error(`${this.#timesOf(revision).length} of ${this.#open} clients got the event`);
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    }
    return this.#timesOf(revision);
  }
}

const root = join(import.meta.dirname, "..", "..");
const { modules } = await buildBundle(root);
const service = await seededService({ root, modules }, fixtureFlags(100));
const port = service.ports[0] ?? Number.NaN;
const base = `http://127.0.0.1:${port}`;

async function send(method: string, path: string, body: object, token?: string) {
  const headers = {
    "Content-Type": "application/json",
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
  const response = await fetch(base + path, { method, headers, body: JSON.stringify(body) });
  const answered = performance.now();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  const revision = Number(response.headers.get("X-Revision"));
  return { answered, revision, json: (await response.json()) as { readonly token: string } };
}

const { json } = await send("POST", "/api/v1/auth/login", {
  email: SECRETS.BOOTSTRAP_ADMIN_EMAIL,
  password: SECRETS.BOOTSTRAP_ADMIN_PASSWORD,
});
let percentage = 0;
async function write() {
  percentage = (percentage % 99) + 1;
  const body = { environmentId: ENVIRONMENT, enabled: true, percentage };
  return send("PUT", "/api/v1/flags/1/strategies", body, json.token);
}

const clients = new Clients(port);
// Opens one stream and makes one write first, because these load the code and the rules.
await clients.grow(1);
await clients.received((await write()).revision);
const memory = residentBytes(service.pid) ?? Number.NaN;
const rows = await inOrder(CONNECTIONS, async (count) => {
  await clients.grow(count);
  const grown = (residentBytes(service.pid) ?? Number.NaN) - memory;
  const delays: number[] = [];
  for (let n = 0; n < WRITES; n++) {
    const { answered, revision } = await write();
    const times = await clients.received(revision);
    delays.push(...times.map((time) => Math.max(0, time - answered)));
  }
  const kilobytes = count === 1 ? "" : (grown / (count - 1) / 1024).toFixed(0);
  const delay = (share: number) => quantile(delays, share).toFixed(1);
  return [String(count), delay(0.5), delay(0.99), kilobytes];
});
console.log(
  report.text([["connections", "median ms", "99 % ms", "KB of memory per connection"], ...rows]),
);
await service.miniflare.dispose();
process.exit();
