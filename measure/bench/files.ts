import { join } from "node:path";
import { type Answer, send, Session } from "../../scripts/lib/api.ts";
import { buildBundle } from "../../scripts/service/bundle.ts";
import { SECRETS, startService } from "../../scripts/service/runtime.ts";
import { moduleOf } from "../../scripts/service/modules.ts";
import { buildWorkerModules, ENTRY, type WorkerBuild } from "../../scripts/lib/worker-build.ts";
import { migrate } from "../../scripts/service/seed.ts";
import { Profiler, type Slice, slicesOf } from "./slices.ts";
import { quantile } from "../../scripts/lib/statistics.ts";
import { cpuSeconds } from "../../scripts/service/workerd.ts";

// `npm run bench:files` measures the plan and the apply of a file on the local runtime, and for how
// long polls of SDKs wait during them (docs/use/flags-as-code.md).

const FLAGS = Number(process.argv[2] ?? 2000);
/** Whether to profile the Worker and the local database. It makes both slower. */
const IS_PROFILED = process.argv.includes("--slices");
const ENVIRONMENTS = ["development", "staging", "production"];
/** How long the quiet polls are measured, milliseconds. */
const QUIET_MS = 2000;

const root = join(import.meta.dirname, "..", "..");
const modules = IS_PROFILED
  ? profiled((await buildWorkerModules(root, false)).modules)
  : (await buildBundle(root)).modules;
const service = await startService(root, modules, {
  isInspected: IS_PROFILED,
});
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

/** A longer pause between two turns of a computation shows in the profile that there is one. */
function profiled(built: WorkerBuild["modules"]) {
  return built
    .filter(({ path }) => path.endsWith(".js"))
    .toSorted((a, b) => Number(b.path === ENTRY) - Number(a.path === ENTRY))
    .map(({ path, contents }) =>
      moduleOf(path, contents.replaceAll(/setTimeout\((resolve\d*), 0\)/g, "setTimeout($1, 3)")),
    );
}

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

/** The isolates that are profiled: the Worker, and the local database. */
const PROFILED = { worker: "core:user:service", database: "d1:db" } as const;

interface Measured<T> {
  readonly result: T;
  /** The times of the polls, milliseconds. */
  readonly times: readonly number[];
  readonly cpuSeconds: number;
  /** The times without pause in each profiled isolate, the longest first. */
  readonly slices: Readonly<Record<string, readonly Slice[]>>;
}

/** Polls the rules while `work` runs. */
async function polled<T>(work: () => Promise<T>): Promise<Measured<T>> {
  const times: number[] = [];
  // A poll in between would hide in the profile where a turn ends.
  const state = { isDone: IS_PROFILED };
  const profilers = await Promise.all(
    Object.entries(IS_PROFILED ? PROFILED : {}).map(async ([name, id]) => ({
      name,
      profiler: await Profiler.start(await service.miniflare.getInspectorURL(), id),
    })),
  );
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
  const slices = await Promise.all(
    profilers.map(async ({ name, profiler }) => [name, slicesOf(await profiler.stop())] as const),
  );
  return { result, times, cpuSeconds: seconds, slices: Object.fromEntries(slices) };
}

const rows: string[][] = [];
const add = (name: string, ms: number, { times, slices, ...measured }: Measured<unknown>) => {
  const longest = Object.entries(slices).map(
    ([isolate, [slice]]) => `${isolate}: ${Math.round(slice?.ms ?? 0)} ms`,
  );
  rows.push([
    name,
    `${Math.round(ms)} ms`,
    `${measured.cpuSeconds.toFixed(1)} s CPU`,
    ...(IS_PROFILED
      ? [`longest slices ${longest.join(", ")}`]
      : [
          `p99 of polls ${Math.round(quantile(times, 0.99))} ms`,
          `slowest ${Math.round(Math.max(...times))} ms`,
        ]),
  ]);
  if (process.argv.includes("--functions"))
    for (const { ms: time, names } of slices["worker"]?.filter((slice) => slice.ms > 25) ?? [])
      rows.push([`  ${time.toFixed(0)} ms: ${names.join(", ")}`]);
};

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
