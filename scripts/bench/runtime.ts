import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import {
  convertV4MiniflareOptions,
  Log,
  LogLevel,
  Miniflare,
  type V4MiniflareOptions,
  type V4WorkerOptions,
} from "miniflare";
import { unstable_getMiniflareWorkerOptions as workerOptionsOf } from "wrangler";
import type { Answer } from "./scenarios.ts";
import { workerdPids } from "./workerd.ts";

/** One workerd process with a direct socket for each of its Workers. */
export interface Runtime {
  readonly miniflare: Miniflare;
  readonly pid: number | undefined;
  readonly ports: readonly number[];
}

/** The Worker's secrets, for the temporary database of one run. */
const SECRETS = {
  SERVICE_JWT_SECRET: "only for the benchmark, 32 bytes or more",
  SERVICE_ENCRYPTION_KEY: "dGhlIGJlbmNobWFyaydzIGtleSwgMzIgYnl0ZXMuLi4=",
  BOOTSTRAP_ADMIN_EMAIL: "bench@example.com",
  BOOTSTRAP_ADMIN_PASSWORD: "only-for-the-benchmark",
};

/**
 * The variable that hides the service's warning that a rate limit cannot be counted, which it would
 * log every minute.
 */
const QUIET = { LOGGING_LEVEL_APP: "ERROR" };

const DIRECT = { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] };

const COUNTING_ENTRY = `import service from "./worker.js";
import { counting } from "./counting.js";
export * from "./worker.js";
export default counting(service);`;

interface ServiceOptions {
  /** Whether to count the operations on D1 and KV. */
  readonly counted?: boolean;
  readonly inspected?: boolean;
}

/** Starts the built bundle of the service with the bindings of wrangler.toml. */
export async function startService(
  root: string,
  source: string,
  { counted = false, inspected = false }: ServiceOptions = {},
): Promise<Runtime> {
  const workerOptions = configured(root);
  // Assets and queue consumers are left out, because they are not measured. The local rate limits
  // are left out, because they write to a database where Cloudflare uses memory.
  const {
    assets: _,
    queueConsumers: __,
    modulesRules: ___,
    ratelimits: ____,
    ...bindings
  } = workerOptions;
  const counter = counted ? await stripped("counting.ts") : "";
  const service = { type: "ESModule" as const, path: "worker.js", contents: source };
  const entry = { type: "ESModule" as const, path: "entry.js", contents: COUNTING_ENTRY };
  const counting = { type: "ESModule" as const, path: "counting.js", contents: counter };
  const worker = {
    ...bindings,
    ...DIRECT,
    name: "service",
    rootPath: "/",
    bindings: Object.assign({}, bindings.bindings, SECRETS, QUIET),
    modules: counted ? [entry, service, counting] : [service],
  };
  return start([worker], inspected ? { inspectorPort: 0 } : {});
}

/** Starts one bare Worker per response. Each has its own socket, so no Worker has to route. */
export async function startBare(root: string, answers: readonly Answer[]): Promise<Runtime> {
  const contents = await stripped("bare.ts");
  const { compatibilityDate } = configured(root);
  return start(
    answers.map(({ status, headers, body, readsBody }, index) => ({
      ...DIRECT,
      name: `bare-${index}`,
      ...(typeof compatibilityDate === "string" && { compatibilityDate }),
      modules: [{ type: "ESModule" as const, path: "bare.js", contents }],
      bindings: { STATUS: status, HEADERS: headers, READS_BODY: readsBody },
      dataBlobBindings: { BODY: body },
    })),
  );
}

function configured(root: string) {
  // This hides wrangler's messages about secrets, because the benchmark sets its own.
  process.env["WRANGLER_LOG"] ??= "error";
  return workerOptionsOf(join(root, "wrangler.toml")).workerOptions;
}

const stripped = async (name: string) =>
  stripTypeScriptTypes(await readFile(join(import.meta.dirname, "workers", name), "utf8"));

async function start(
  workers: V4WorkerOptions[],
  shared: { inspectorPort?: number } = {},
): Promise<Runtime> {
  const before = new Set(workerdPids());
  const options: V4MiniflareOptions = { workers, log: new Log(LogLevel.ERROR), ...shared };
  const miniflare = new Miniflare(convertV4MiniflareOptions(options));
  await miniflare.ready;
  const urls = await Promise.all(workers.map(({ name }) => miniflare.unsafeGetDirectURL(name)));
  const pid = workerdPids().find((candidate) => !before.has(candidate));
  return { miniflare, pid, ports: urls.map(({ port }) => Number(port)) };
}
