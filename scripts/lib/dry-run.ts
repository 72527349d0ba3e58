import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { run, runOnTerminal } from "./processes.ts";
import type { DeployOptions } from "./target.ts";
import { wrangler } from "./wrangler.ts";

/** The output directory of a dry run. The bundle stays there for inspection. */
const OUTPUT = "dist";

/**
 * Bundles the Worker for one environment, or for all without `--env`. Needs no network and writes
 * only to `OUTPUT`.
 */
export async function dryRun({ given, target }: DeployOptions): Promise<void> {
  const deploy = (args: readonly string[], name: string) =>
    wrangler(["deploy", ...given, ...args, "--outdir", path.join(OUTPUT, name)]);
  const { env, config } = target;
  const names = env === undefined ? (config.definedEnvironments ?? []) : [env];
  // Wrangler leaves the modules of an earlier run there, and their names change with their contents.
  for (const name of names) rmSync(path.join(OUTPUT, name), { recursive: true, force: true });
  if (env !== undefined) await runOnTerminal(deploy([], env));
  else await Promise.all(names.map((name) => run(deploy(["--env", name], name))));
  for (const name of names)
    console.log(`${name}: ${sizes(path.join(OUTPUT, name))}. Nothing was deployed.`);
}

function sizes(directory: string): string {
  const files = readdirSync(directory).filter((name) => name.endsWith(".js"));
  const bundle = Buffer.concat(files.map((name) => readFileSync(path.join(directory, name))));
  return `the bundle has ${kilobytes(bundle)}, gzipped ${kilobytes(gzipSync(bundle))}`;
}

const kilobytes = (data: Uint8Array) => `${(data.byteLength / 1024).toFixed(1)} KiB`;
