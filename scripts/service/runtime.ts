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
import type { Module } from "./modules.ts";
import { workerdPids } from "./workerd.ts";

/** One workerd process with a direct socket for each of its Workers. */
export interface Runtime {
  readonly miniflare: Miniflare;
  readonly pid: number | undefined;
  readonly ports: readonly number[];
}

/** The Worker's secrets, for the temporary database of one run. */
export const SECRETS = {
  SERVICE_JWT_SECRET: "only for the benchmark, 32 bytes or more",
  SERVICE_ENCRYPTION_KEY: "dGhlIGJlbmNobWFyaydzIGtleSwgMzIgYnl0ZXMuLi4=",
  BOOTSTRAP_ADMIN_EMAIL: "bench@example.com",
  BOOTSTRAP_ADMIN_PASSWORD: "only-for-the-benchmark",
};

/**
 * The variable that hides warnings. Without rate limit bindings, the service would log a warning
 * every minute.
 */
const QUIET = { LOGGING_LEVEL_APP: "ERROR" };

/** Gives a Worker a socket of its own, so that no other Worker has to route its requests. */
export const DIRECT = { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] };

export interface ServiceOptions {
  /** Whether the service consumes its queues. */
  readonly consumes?: boolean;
  /** Further variables of the Worker. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The folder that keeps the data of the service. Without it, the data ends with the process. */
  readonly folder?: string;
  /** Answers the requests of the service to other hosts. Without it, they go to the network. */
  readonly otherHosts?: NonNullable<V4WorkerOptions["outboundService"]>;
  /** Whether the runtime has an inspector, for `Profiler`. Default: false. */
  readonly isInspected?: boolean;
}

/** Starts the built bundle of the service with the bindings of wrangler.toml. */
export async function startService(
  root: string,
  modules: readonly Module[],
  options: ServiceOptions = {},
): Promise<Runtime> {
  const worker = serviceWorker(root, "service", modules, options);
  return start([worker], {
    ...(options.folder !== undefined && { resourcePersistencePath: options.folder }),
    ...(options.isInspected && { inspectorPort: 0 }),
  });
}

/**
 * Starts several built bundles as Workers with the same bindings of wrangler.toml, so that they share
 * one database and one KV namespace. The ports are in the order of the bundles.
 */
export const startServices = (
  root: string,
  bundles: readonly (readonly Module[])[],
): Promise<Runtime> =>
  start(bundles.map((modules, index) => serviceWorker(root, `service-${index}`, modules)));

/**
 * Starts the service beside other Workers of the account, which have service bindings to it. The
 * ports are in the order of the Workers. `modules`: the modules of the service, with the entry
 * first.
 */
export const startAccount = (
  root: string,
  service: { readonly name: string; readonly modules: readonly Module[] },
  others: readonly V4WorkerOptions[],
): Promise<Runtime> =>
  start([
    serviceWorker(root, service.name, service.modules),
    ...others.map((other) => ({ ...other, ...DIRECT })),
  ]);

function serviceWorker(
  root: string,
  name: string,
  modules: readonly Module[],
  { consumes, variables, otherHosts }: ServiceOptions = {},
): V4WorkerOptions {
  // Omits assets, because they are not measured. Omits the local rate limits, because they write to
  // a database, while Cloudflare's rate limits use memory.
  const { assets: _, modulesRules: __, ratelimits: ___, ...all } = configured(root);
  const { queueConsumers: ____, ...withoutConsumers } = all;
  const bindings = consumes ? all : withoutConsumers;
  return {
    ...bindings,
    ...DIRECT,
    name,
    rootPath: "/",
    bindings: Object.assign({}, bindings.bindings, SECRETS, QUIET, variables),
    ...(otherHosts !== undefined && { outboundService: otherHosts }),
    modules: [...modules],
  };
}

/** Returns the options of the Worker in wrangler.toml. */
export function configured(root: string) {
  // Hides wrangler's messages about secrets, because the benchmark sets the secrets itself.
  process.env["WRANGLER_LOG"] ??= "error";
  return workerOptionsOf(join(root, "wrangler.toml")).workerOptions;
}

/** Starts Workers in one process. The ports are in the order of the Workers. */
export async function start(
  workers: V4WorkerOptions[],
  shared: Omit<V4MiniflareOptions, "workers"> = {},
): Promise<Runtime> {
  const before = new Set(workerdPids());
  const options: V4MiniflareOptions = { workers, log: new Log(LogLevel.ERROR), ...shared };
  const miniflare = new Miniflare(convertV4MiniflareOptions(options));
  await miniflare.ready;
  const urls = await Promise.all(workers.map(({ name }) => miniflare.unsafeGetDirectURL(name)));
  const pid = workerdPids().find((candidate) => !before.has(candidate));
  return { miniflare, pid, ports: urls.map(({ port }) => Number(port)) };
}
