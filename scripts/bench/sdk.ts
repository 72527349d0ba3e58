import { createClient, type FlagClient, type Snapshot } from "@feature-flags/sdk";
import { digestOf, readDigest, ruleHash } from "@feature-flags/evaluation/digest";
import process from "node:process";

// `npm run bench:sdk` measures the built SDK: the time of a check, and what many rules cost. Times are
// CPU times of the process, so that other programs on the machine count as little as possible.

const FLAGS = 5_000;
const CHECKS = 5_000_000;
const ROUNDS = 5;

const constraint = (n: number) => ({
  field: "country",
  operator: "in",
  values: ["DE", "FR", `X${n}`],
  contextType: "string",
});

type Rule = Snapshot["rules"][number];

/** Returns a rule. Every third flag has a constraint, and every third a partial roll-out. */
const ruleOf = (n: number, rollOut = n % 3 === 1 ? 50 : 100): Rule => ({
  key: `flag-${n}`,
  name: `The flag number ${n}`,
  enabled: true,
  activation: { rollOut, constraints: n % 3 === 0 ? [constraint(n)] : [], segments: [] },
});

const rules = Array.from({ length: FLAGS }, (_, n) => ruleOf(n));
const body = JSON.stringify(rules);
const hashOf = (rule: unknown): number => ruleHash(JSON.stringify(rule));
let digest = digestOf(rules.map(hashOf));
let writeEvent: ((text: string) => void) | undefined;

/** A service in memory, which responds with all rules and opens one stream. */
const service: typeof fetch = (input) => {
  const { pathname } = new URL(new Request(input).url);
  if (pathname.endsWith("/features"))
    return Promise.resolve(
      new Response(body, {
        headers: {
          "X-Revision": "1",
          "X-Next-Since": new Date(1).toISOString(),
          ETag: '"1-a"',
          "X-Rules-Digest": digest,
          "X-Delta": "full",
        },
      }),
    );
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      writeEvent = (text) => controller.enqueue(new TextEncoder().encode(text));
      writeEvent("retry: 1000\n\n");
    },
  });
  const headers = { "Content-Type": "text/event-stream" };
  return Promise.resolve(new Response(stream, { headers }));
};

const newClient = (): FlagClient =>
  createClient({ url: "https://flags.test", key: "key", fetch: service, reportUsage: false });

const usedHeap = (): number => {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

/** The CPU time that the process has used, with its garbage collection, milliseconds. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Returns the shortest time of a check over several rounds, nanoseconds. */
function nanoseconds(check: (n: number) => unknown): number {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = cpuTime();
    for (let n = 0; n < CHECKS; n++) check(n);
    best = Math.min(best, ((cpuTime() - start) * 1e6) / CHECKS);
  }
  return best;
}

/** Returns the times from an event with one changed flag until it is applied, milliseconds. */
async function deltaTimes(client: FlagClient): Promise<number[]> {
  const times: number[] = [];
  for (let revision = 2; revision <= 201; revision++) {
    const changed = ruleOf(revision, revision % 100);
    const nextSince = new Date(revision).toISOString();
    const etag = `"${revision}-a"`;
    digest = digestOf([readDigest(digest), hashOf(rules[revision]), hashOf(changed)]);
    const data = { revision, from: revision - 1, etag, digest, nextSince, rules: [changed] };
    const start = cpuTime();
    const applied = new Promise<void>((resolve) => {
      const remove = client.on("change", () => {
        times.push(cpuTime() - start);
        remove();
        resolve();
      });
    });
    writeEvent?.(`event: revision\nid: ${revision}\ndata: ${JSON.stringify(data)}\n\n`);
    await applied;
  }
  return times.toSorted((one, other) => one - other);
}

const print = (what: string, value: number, unit: string): void =>
  console.log(`${what.padEnd(48)} ${value.toFixed(2).padStart(8)} ${unit}`);

const before = usedHeap();
const started = cpuTime();
const client = newClient();
await client.ready();
print(`start with ${FLAGS} rules`, cpuTime() - started, "ms");
print(`memory of ${FLAGS} rules`, (usedHeap() - before) / 1024 ** 2, "MB");
// Waits for the stream, which opens after the rules have arrived.
await new Promise((resolve) => {
  setTimeout(resolve, 100);
});

const times = await deltaTimes(client);
print("a delta of one flag, median", times[Math.floor(times.length / 2)] ?? Number.NaN, "ms");
print("a delta of one flag, slowest of 200", times.at(-1) ?? Number.NaN, "ms");

const context = { targetingKey: "user-42", country: "DE", plan: "pro" };
const checks: Readonly<Record<string, (n: number) => unknown>> = {
  "boolean, on for everybody": () => client.boolean("flag-2", false, context),
  "boolean, one constraint": () => client.boolean("flag-0", false, context),
  "boolean, 50 % of the users": () => client.boolean("flag-1", false, context),
  "boolean, 1,000 flags in turn": (n) =>
    client.boolean(KEYS[n % KEYS.length] ?? "", false, context),
  "details, one constraint": () => client.details("flag-0", false, context),
};
const KEYS = Array.from({ length: 1_000 }, (_, n) => `flag-${n * 5}`);
for (const [name, check] of Object.entries(checks)) print(name, nanoseconds(check), "ns");
await client.close();
