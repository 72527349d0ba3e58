import { join } from "node:path";
import { type Answer, send, Session } from "../lib/api.ts";
import { buildBundle } from "./bundle.ts";
import { SECRETS, startService } from "./runtime.ts";
import { migrate } from "./seed.ts";
import { quantile } from "./statistics.ts";
import { cpuSeconds } from "./workerd.ts";

// `npm run bench:files` measures the plan and the apply of a file on the local runtime, and for how
// long polls of SDKs wait during them (docs/flags-as-code.md).

const FLAGS = Number(process.argv[2] ?? 2000);
const ENVIRONMENTS = ["development", "staging", "production"];
/** How long the quiet polls are measured, milliseconds. */
const QUIET_MS = 2000;

const root = join(import.meta.dirname, "..", "..");
const { source } = await buildBundle(root);
const service = await startService(root, source, { variables: {} });
await migrate(await service.miniflare.getD1Database("DB"), root);
const address = `http://127.0.0.1:${service.ports[0]}`;
const { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password } = SECRETS;
const session = await Session.open(address, { email, password });
if (!session) throw new Error("The administrator cannot sign in");
const { token } = session;

const { id: projectId } = await session.post<{ id: number }>("/projects", { name: "Shop" });
const ids: number[] = [];
for (const name of ENVIRONMENTS)
  ids.push((await session.post<{ id: number }>("/environments", { name, projectId })).id);
const { apiKey } = await session.post<{ apiKey: string }>("/api-keys", {
  name: "Poll",
  keyType: "SERVER",
  environmentId: ids.at(-1),
});

const file = (percentage: number) => ({
  version: 1,
  project: "Shop",
  segments: {
    staff: { constraints: [{ field: "email", operator: "endsWith", values: ["@a.com"] }] },
  },
  flags: Object.fromEntries(
    Array.from({ length: FLAGS }, (_, n) => [`flag-${n}`, flag(n, percentage)]),
  ),
});

const flag = (n: number, percentage: number) => ({
  name: `Flag ${n}`,
  flagType: "RELEASE",
  tags: [`team-${n % 20}`],
  environments: Object.fromEntries(
    ENVIRONMENTS.map((name) => [
      name,
      {
        enabled: true,
        percentage,
        constraints: [{ field: "country", operator: "in", values: ["de", "fr"] }],
        rules: [{ id: "staff", segments: ["staff"], serve: { weights: { on: 50, off: 50 } } }],
      },
    ]),
  ),
});

async function timed(
  verb: string,
  body: object,
  id = "",
): Promise<Answer & { readonly ms: number }> {
  const started = performance.now();
  const url = `${address}/api/v1/projects/${projectId}/${verb}`;
  const headers = id === "" ? {} : { "If-Match": `"${id}"` };
  const answer = await send(url, { method: "POST", token, body, headers });
  if (answer.status !== 200)
    throw new Error(`${verb}: ${JSON.stringify(answer.body).slice(0, 500)}`);
  return { ...answer, ms: performance.now() - started };
}

/** Polls the rules while `work` runs. Returns the times of the polls, milliseconds. */
async function polled<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly times: number[]; readonly seconds: number }> {
  const times: number[] = [];
  const state = { isDone: false };
  const cpu = cpuSeconds(service.pid) ?? 0;
  const polling = (async () => {
    while (!state.isDone) {
      const started = performance.now();
      await send(`${address}/api/client/features`, {
        token: apiKey,
        headers: { "If-None-Match": "*" },
      });
      times.push(performance.now() - started);
    }
  })();
  const result = await work();
  state.isDone = true;
  const seconds = (cpuSeconds(service.pid) ?? 0) - cpu;
  await polling;
  return { result, times, seconds };
}

const rows: string[][] = [];
interface Measured {
  readonly times: readonly number[];
  readonly seconds: number;
}

const add = (name: string, ms: number, { times, seconds }: Measured) =>
  rows.push([
    name,
    `${Math.round(ms)} ms`,
    `${seconds.toFixed(1)} s CPU`,
    `p99 of polls ${Math.round(quantile(times, 0.99))} ms`,
    `slowest ${Math.round(Math.max(...times))} ms`,
  ]);

const quiet = await polled(() => new Promise((resolve) => setTimeout(resolve, QUIET_MS)));
add("quiet", QUIET_MS, quiet);
for (const [name, percentage] of [
  ["new", 10],
  ["changed", 20],
  ["unchanged", 20],
] as const) {
  const body = { file: file(percentage) };
  const planned = await polled(() => timed("plan", body));
  add(`plan, ${name}`, planned.result.ms, planned);
  const { id } = planned.result.body as { id: string };
  const applied = await polled(() => timed("apply", body, id));
  add(`apply, ${name}`, applied.result.ms, applied);
}
const bytes = JSON.stringify({ file: file(10) }).length;
console.log(
  `${FLAGS} flags in ${ENVIRONMENTS.length} environments, ${(bytes / 1e6).toFixed(1)} MB`,
);
for (const row of rows) console.log(row.map((cell) => cell.padEnd(20)).join(""));
await service.miniflare.dispose();
