import { createClient, type FlagClient, type Snapshot } from "@feature-flags/sdk";
import { digestOf, readDigest, ruleHash } from "@feature-flags/evaluation/digest";
import process from "node:process";

// `npm run bench:sdk` measures the built SDK: the time of a check, and what many rules cost. Times are
// CPU times of the process, so that other programs on the machine count as little as possible.

const FLAGS = 5_000;
const USERS = 1_000;
const CHECKS = 2_000_000;
const ROUNDS = 10;
/** How many flags are checked for one user, when many flags are checked. */
const CHECKS_OF_USER = 20;

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

/** Returns the shortest time of a check over several rounds, milliseconds. */
function milliseconds(check: (n: number) => unknown, checks: number): number {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = cpuTime();
    for (let n = 0; n < checks; n++) check(n);
    best = Math.min(best, (cpuTime() - start) / checks);
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

const users = Array.from({ length: USERS }, (_, n) => ({
  targetingKey: `user-${n}`,
  country: n % 2 === 0 ? "DE" : "US",
  plan: n % 4 < 2 ? "pro" : "free",
}));
const userOf = (n: number) => users[n % USERS];
const keys = Array.from({ length: 1_000 }, (_, n) => `flag-${n * 5}`);
const keyOf = (n: number): string => keys[n % keys.length] ?? "";

// Flags that `deltaTimes` has not changed.
const checks: Readonly<Record<string, (n: number) => unknown>> = {
  "boolean, on for everybody": (n) => client.boolean("flag-302", false, userOf(n)),
  "boolean, one constraint": (n) => client.boolean("flag-300", false, userOf(n)),
  "boolean, 50 % of the users": (n) => client.boolean("flag-301", false, userOf(n)),
  "boolean, 1,000 flags, 20 in turn for each user": (n) =>
    client.boolean(keyOf(n), false, userOf(Math.floor(n / CHECKS_OF_USER))),
  "details, one constraint": (n) => client.details("flag-300", false, userOf(n)),
};
for (const [name, check] of Object.entries(checks))
  print(name, milliseconds(check, CHECKS) * 1e6, "ns");
print(
  `all ${FLAGS} flags`,
  milliseconds((n) => client.all(userOf(n)), USERS),
  "ms",
);
await client.close();
